// SPDX-License-Identifier: MIT
//
// Counts the ticks that interrupt. The linker wraps the kernel's own function with this one. It
// runs privileged, and writes to the test's memory.
#include <stdint.h>

extern volatile uint32_t tick_interrupts;

void __real_kernel_tick(void);
void __wrap_kernel_tick(void);
void __wrap_kernel_tick(void) {
    tick_interrupts++;
    __real_kernel_tick();
}
