// SPDX-License-Identifier: MIT
//
// 56 priorities, as STM32CubeMX configures: more than selection by CLZ can have. What `cubemx`
// costs by this alone.
#ifndef FREERTOS_CONFIG_PRIORITIES_56_H
#define FREERTOS_CONFIG_PRIORITIES_56_H

#include "generic-selection.h"

#undef configMAX_PRIORITIES
#define configMAX_PRIORITIES 56

#endif
