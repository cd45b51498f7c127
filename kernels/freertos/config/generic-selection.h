// SPDX-License-Identifier: MIT
//
// Task selection in C, which walks down from the highest priority in use: what a core without CLZ,
// or a system with more than 32 priorities, has.
#ifndef FREERTOS_CONFIG_GENERIC_SELECTION_H
#define FREERTOS_CONFIG_GENERIC_SELECTION_H

#include "default.h"

#undef configUSE_PORT_OPTIMISED_TASK_SELECTION
#define configUSE_PORT_OPTIMISED_TASK_SELECTION 0

#endif
