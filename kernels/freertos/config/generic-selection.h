// SPDX-License-Identifier: MIT
//
// Task selection in C, which searches downwards from the highest priority in use, as on a core
// without CLZ or in a system with more than 32 priorities.
#ifndef FREERTOS_CONFIG_GENERIC_SELECTION_H
#define FREERTOS_CONFIG_GENERIC_SELECTION_H

#include "default.h"

#undef configUSE_PORT_OPTIMISED_TASK_SELECTION
#define configUSE_PORT_OPTIMISED_TASK_SELECTION 0

#endif
