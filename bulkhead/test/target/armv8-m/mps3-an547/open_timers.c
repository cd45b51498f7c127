// SPDX-License-Identifier: MIT
//
// Opens the board's timers to unprivileged code before the kernel starts, as
// ../mps2-an505/open_timers.c does, and starts the system counter, whose count they show.
//
// Source: Arm SSE-300 example subsystem, MAINNSPPPC0 and PERIPHSPPPC0, and the control frame of the
// system counter.
#include <bulkhead/start.h>
#include <stdint.h>

#define PERIPHSPPPC0 (*(volatile uint32_t *)0x500800B0u)
#define CNTCR (*(volatile uint32_t *)0x58100000u)

_Noreturn void __real_bulkhead_start(void);
_Noreturn void __wrap_bulkhead_start(void);
_Noreturn void __wrap_bulkhead_start(void) {
    PERIPHSPPPC0 = UINT32_MAX;
    CNTCR = 1;
    __real_bulkhead_start();
}
