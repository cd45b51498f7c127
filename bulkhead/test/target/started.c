// SPDX-License-Identifier: MIT
//
// What the laboratory's start-up code expects of its user.
#include <arch/tick.h>
#include <bench/port.h>
#include <bulkhead/start.h>

_Noreturn void bench_port_start(void) {
    arch_tick_start(BENCH_TICK_HZ, BULKHEAD_EXCEPTION_PRIORITY);
    bulkhead_start();
}
