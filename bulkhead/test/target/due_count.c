// SPDX-License-Identifier: MIT
//
// For due.c: counts the ticks after which the kernel leaves due timers for later. The linker wraps
// a function of the kernel with this function (--wrap), which runs privileged and writes to the
// test's memory.
#include "kernel.h"

extern volatile uint32_t timers_deferred;

void __real_deferred_add(struct deferred *work, const struct deferred_kind *kind);
void __wrap_deferred_add(struct deferred *work, const struct deferred_kind *kind);
void __wrap_deferred_add(struct deferred *work, const struct deferred_kind *kind) {
    timers_deferred += work == &kernel.expiry && kernel_idle.priority_mask == 0;
    __real_deferred_add(work, kind);
}
