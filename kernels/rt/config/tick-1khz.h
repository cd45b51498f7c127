// SPDX-License-Identifier: MIT
//
// A tick every millisecond instead of every 10 ms, as many products have it. The contract's unit of
// time is the tick, so that waiting scenarios wait ten times shorter.
#ifndef RT_CONFIG_TICK_1KHZ_H
#define RT_CONFIG_TICK_1KHZ_H

#include "default.h"

#undef RT_PORT_TICK_HZ
#define RT_PORT_TICK_HZ 1000

#endif
