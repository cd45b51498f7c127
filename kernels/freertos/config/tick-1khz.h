// SPDX-License-Identifier: MIT
//
// A tick every millisecond instead of every 10 ms, as many products have it. The contract's unit of
// time is the tick, so that waiting scenarios wait ten times shorter.
#ifndef FREERTOS_CONFIG_TICK_1KHZ_H
#define FREERTOS_CONFIG_TICK_1KHZ_H

#include "default.h"

#undef configTICK_RATE_HZ
#define configTICK_RATE_HZ 1000

#endif
