// SPDX-License-Identifier: MIT
//
// Counts the ticks that interrupt: the linker puts this around the kernel's own function. It runs
// privileged, and tells the test in the test's memory.
#include <stdint.h>

extern volatile uint32_t tick_interrupts;

void __real_kernel_tick(void);
void __wrap_kernel_tick(void);
void __wrap_kernel_tick(void) {
    tick_interrupts++;
    __real_kernel_tick();
}
