// SPDX-License-Identifier: MIT
//
// The injection (bench/injection.h) on this board: the Secure watchdog's interrupt is the NMI.
//
// The watchdog of QEMU's model counts at 20 MHz of virtual time, and virtual time advances 1 ns per
// instruction.
#define WATCHDOG memory_watchdog_origin
#define INSTRUCTIONS_PER_COUNT 50

#include "../../devices/cmsdk_watchdog.S"
