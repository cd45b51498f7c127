// SPDX-License-Identifier: MIT
//
// Counts the sets of flags that an interrupt stops, and the sets that are stopped again. The linker
// wraps the kernel's own function with this one. It runs privileged, and writes to the test's
// memory.
#include "deferred.h"

extern volatile uint32_t sets_deferred, sets_deferred_again;

void __real_deferred_add(struct flags *flags);
void __wrap_deferred_add(struct flags *flags);
void __wrap_deferred_add(struct flags *flags) {
    sets_deferred++;
    sets_deferred_again += flags->is_deferred;
    __real_deferred_add(flags);
}
