// SPDX-License-Identifier: MIT
//
// For tickless.c: counts the interrupts of the tick. The linker wraps a function of the kernel with
// this function (--wrap), which runs privileged and writes to the test's memory.
#include <stdint.h>

extern volatile uint32_t tick_interrupts;

void __real_kernel_tick(void);
void __wrap_kernel_tick(void);
void __wrap_kernel_tick(void) {
    tick_interrupts++;
    __real_kernel_tick();
}
