// SPDX-License-Identifier: MIT
//
// For spoilt.c: one function corrupts a list of the kernel at a tick, the other one handles the
// failure of the kernel's sanity checks. The linker wraps functions of the kernel with these
// functions (--wrap), which run privileged.
#include "kernel.h"
#include <arch/console.h>

enum { SPOILT_TICK = 20 };

void __real_kernel_tick(void);
void __wrap_kernel_tick(void);
void __wrap_kernel_tick(void) {
    __real_kernel_tick();
    if (kernel.ticks == SPOILT_TICK) {
        kernel_threads[0].next = &kernel_idle;
    }
}

_Noreturn void __wrap_kernel_inconsistent(const char *invariant);
_Noreturn void __wrap_kernel_inconsistent(const char *invariant) {
    (void)invariant;
    arch_console_write(kernel.ticks >= SPOILT_TICK ? "spoilt: found"
                                                   : "failed: nothing was spoilt");
    arch_exit(kernel.ticks >= SPOILT_TICK ? 0 : 1);
}
