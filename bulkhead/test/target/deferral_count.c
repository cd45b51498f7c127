// SPDX-License-Identifier: MIT
//
// Counts the sets of flags that an interrupt stops, and those that were stopped before: the linker
// puts this around the kernel's own function. It runs privileged, and tells the test in the test's
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
