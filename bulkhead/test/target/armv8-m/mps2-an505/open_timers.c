// SPDX-License-Identifier: MIT
//
// Opens the board's timers to unprivileged code before the kernel starts. Without this, the
// peripheral protection controller of the board returns 0 for every unprivileged read of a timer.
// The MPU still decides which process may access the timers. The linker wraps the start function of
// the kernel with this function (--wrap).
//
// Source: Arm CoreLink SSE-200 (DDI 0101), APBSPPPPC0.
#include <bulkhead/start.h>
#include <stdint.h>

#define APBSPPPPC0 (*(volatile uint32_t *)0x500800B0u)

_Noreturn void __real_bulkhead_start(void);
_Noreturn void __wrap_bulkhead_start(void);
_Noreturn void __wrap_bulkhead_start(void) {
    APBSPPPPC0 = UINT32_MAX;
    __real_bulkhead_start();
}
