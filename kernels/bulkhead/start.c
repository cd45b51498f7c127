// SPDX-License-Identifier: MIT
//
// The port's only privileged function, which the platform's start-up code calls. It is a part of
// the kernel's closed object.
#include <bench/port.h>

#include "start_tick.h"
#include <bulkhead/start.h>

_Noreturn void bench_port_start(void) {
    start_tick();
    bulkhead_start();
}
