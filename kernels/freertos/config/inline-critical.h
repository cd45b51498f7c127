// SPDX-License-Identifier: MIT
//
// Critical sections entered and left in line instead of by a call: what a conference talk on
// benchmarking FreeRTOS tried (Champagne and Dagenais). The kernel has no switch for it, so
// this is a change that a user makes from outside, without touching a source of the kernel:
// GNU C's `extern inline` (gnu_inline) stands in for a function wherever it is called and leaves
// the port's own definition as it is. What is inlined does exactly what vPortEnterCritical and
// vPortExitCritical of the port do.
//
// The port keeps the depth of nesting in a static variable, which is out of reach here; so there is
// one of the same meaning beside it. The scheduler sets the port's to 0 when it starts, and this
// one by the trace hook at the same place; before, it holds interrupts off, like the port's.
#ifndef FREERTOS_CONFIG_INLINE_CRITICAL_H
#define FREERTOS_CONFIG_INLINE_CRITICAL_H

#include "default.h"

#define traceSTARTING_SCHEDULER(idle) (critical_nesting = 0)

#ifndef __ASSEMBLER__

#include <FreeRTOS.h>

// One for all sources, whichever of them the linker takes it from.
__attribute__((weak)) UBaseType_t critical_nesting = 0xaaaaaaaa;

extern inline __attribute__((gnu_inline, always_inline)) void vPortEnterCritical(void) {
    portDISABLE_INTERRUPTS();
    critical_nesting++;
}

extern inline __attribute__((gnu_inline, always_inline)) void vPortExitCritical(void) {
    critical_nesting--;
    if (critical_nesting == 0) {
        portENABLE_INTERRUPTS();
    }
}

#endif

#endif
