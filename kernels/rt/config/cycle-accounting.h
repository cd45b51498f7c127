// SPDX-License-Identifier: MIT
//
// The kernel adds up the cycles that each task used, from the core's cycle counter. QEMU's counter
// does not count, so the sums are 0; the instructions that read and add are the real ones.
#ifndef RT_CONFIG_CYCLE_ACCOUNTING_H
#define RT_CONFIG_CYCLE_ACCOUNTING_H

#include "default.h"

#undef RT_CYCLE_ENABLE
#define RT_CYCLE_ENABLE 1
#undef RT_TASK_CYCLE_ENABLE
#define RT_TASK_CYCLE_ENABLE 1

#endif
