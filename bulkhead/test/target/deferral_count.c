// SPDX-License-Identifier: MIT
//
// For sets.c: counts how often the kernel defers the rest of a call that sets event flags because
// an interrupt is pending, and how often it defers the same rest again. The linker wraps a function
// of the kernel with this function (--wrap), which runs privileged and writes to the test's memory.
#include "kernel.h"

extern volatile uint32_t sets_deferred, sets_deferred_again;

void __real_deferred_add(struct deferred *work, const struct deferred_kind *kind);
void __wrap_deferred_add(struct deferred *work, const struct deferred_kind *kind);
void __wrap_deferred_add(struct deferred *work, const struct deferred_kind *kind) {
    if (kind == &flags_deferred_set) {
        sets_deferred++;
        sets_deferred_again += work->kind != NULL;
    }
    __real_deferred_add(work, kind);
}
