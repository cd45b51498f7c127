// SPDX-License-Identifier: MIT
//
// 56 priorities, as STM32CubeMX configures, which is more than selection by CLZ supports. Shows the
// part of `cubemx`'s cost that this alone causes.
#ifndef FREERTOS_CONFIG_PRIORITIES_56_H
#define FREERTOS_CONFIG_PRIORITIES_56_H

#include "generic-selection.h"

#undef configMAX_PRIORITIES
#define configMAX_PRIORITIES 56

#endif
