// SPDX-License-Identifier: MIT
//
// Lets unprivileged code reach the timers, as far as the MPU lets it, before the kernel starts: the
// board's peripheral protection controller reads them as zero otherwise. The linker wraps the start
// of the kernel with this.
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
