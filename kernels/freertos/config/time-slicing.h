// SPDX-License-Identifier: MIT
//
// Tasks of equal priority share the processor: at each tick the running task moves to the end of
// its ready list. This is the kernel's own default.
#ifndef FREERTOS_CONFIG_TIME_SLICING_H
#define FREERTOS_CONFIG_TIME_SLICING_H

#include "default.h"

#undef configUSE_TIME_SLICING
#define configUSE_TIME_SLICING 1

#endif
