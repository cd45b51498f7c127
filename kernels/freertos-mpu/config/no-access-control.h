// SPDX-License-Identifier: MIT
//
// Memory protection without access control lists: a task may use any object whose handle it
// guesses, and no rights are granted.
#ifndef FREERTOS_MPU_CONFIG_NO_ACCESS_CONTROL_H
#define FREERTOS_MPU_CONFIG_NO_ACCESS_CONTROL_H

#include "default.h"

#undef configENABLE_ACCESS_CONTROL_LIST
#define configENABLE_ACCESS_CONTROL_LIST 0
#define vGrantAccessToKernelObject(task, object) ((void)(task), (void)(object))

#endif
