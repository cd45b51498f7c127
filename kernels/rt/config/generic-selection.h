// SPDX-License-Identifier: MIT
//
// Task selection in C, by multiplication and a table, as on a core without CLZ.
#ifndef RT_CONFIG_GENERIC_SELECTION_H
#define RT_CONFIG_GENERIC_SELECTION_H

#include "default.h"

#undef RT_TASK_READY_CTZ_ENABLE
#define RT_TASK_READY_CTZ_ENABLE 0

#endif
