// SPDX-License-Identifier: MIT
//
// Counts the sets of flags that an interrupt stops, and the sets that are stopped again. The linker
// wraps the kernel's own function with this one. It runs privileged, and writes to the test's
// memory.
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
