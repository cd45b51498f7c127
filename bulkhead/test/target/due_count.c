// SPDX-License-Identifier: MIT
//
// Counts the ticks that stop while timers are due. The linker wraps the kernel's own function with
// this one. It runs privileged, and writes to the test's memory.
#include "kernel.h"

extern volatile uint32_t timers_deferred;

void __real_deferred_add(struct deferred *work, const struct deferred_kind *kind);
void __wrap_deferred_add(struct deferred *work, const struct deferred_kind *kind);
void __wrap_deferred_add(struct deferred *work, const struct deferred_kind *kind) {
    timers_deferred += work == &kernel.expiry && kernel_idle.priority_mask == 0;
    __real_deferred_add(work, kind);
}
