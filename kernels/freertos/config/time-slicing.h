// SPDX-License-Identifier: MIT
//
// Equal priorities share the processor: on each tick the running task goes behind its equals. The
// kernel's own default.
#ifndef FREERTOS_CONFIG_TIME_SLICING_H
#define FREERTOS_CONFIG_TIME_SLICING_H

#include "default.h"

#undef configUSE_TIME_SLICING
#define configUSE_TIME_SLICING 1

#endif
