// SPDX-License-Identifier: MIT
//
// rt with memory protection, otherwise configured as kernels/rt/config/default.h. Each task has
// four regions of its own, written at every switch, which is the kernel's default.
#ifndef RT_MPU_CONFIG_DEFAULT_H
#define RT_MPU_CONFIG_DEFAULT_H

#include "../../rt/config/default.h"

#undef RT_MPU_TASK_REGIONS_ENABLE
#define RT_MPU_TASK_REGIONS_ENABLE 1
#undef RT_MPU_PRIV_SECTIONS_ENABLE
#define RT_MPU_PRIV_SECTIONS_ENABLE 1
#define RT_MPU_NUM_TASK_REGIONS 4

#endif
