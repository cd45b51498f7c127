// SPDX-License-Identifier: MIT
//
// Critical sections are entered and left in line instead of by a call.
//
// FreeRTOS has no option for this. A user can make the change without editing the kernel's sources:
// GNU C's `extern inline` (gnu_inline) replaces a function wherever it is called and leaves the
// port's own definition as it is. The inlined code does exactly what vPortEnterCritical and
// vPortExitCritical of the port do.
//
// The port keeps the nesting depth in a static variable, which cannot be accessed here, so this
// file has a second variable with the same meaning. The scheduler sets the port's variable to 0
// when it starts; the trace hook at the same place does so with this one. Before that, its value
// keeps interrupts masked, as the port's does.
#ifndef FREERTOS_CONFIG_INLINE_CRITICAL_H
#define FREERTOS_CONFIG_INLINE_CRITICAL_H

#include "default.h"

#define traceSTARTING_SCHEDULER(idle) (critical_nesting = 0)

#ifndef __ASSEMBLER__

#include <FreeRTOS.h>

// One variable for all sources; the linker takes one of the weak definitions.
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
