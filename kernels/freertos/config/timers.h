// SPDX-License-Identifier: MIT
//
// `default` with the kernel's software timers. Their task has the highest priority, which the
// manual recommends for timers that are to be punctual.
#ifndef FREERTOS_CONFIG_TIMERS_H
#define FREERTOS_CONFIG_TIMERS_H

#include "default.h"

#undef configUSE_TIMERS
#define configUSE_TIMERS 1
#define configTIMER_TASK_PRIORITY (configMAX_PRIORITIES - 1)
#define configTIMER_QUEUE_LENGTH 10
#define configTIMER_TASK_STACK_DEPTH configMINIMAL_STACK_SIZE

#endif
