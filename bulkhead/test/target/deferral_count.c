// SPDX-License-Identifier: MIT
//
// Counts the sets of flags that an interrupt stops: the linker puts this around the kernel's own
// function. It runs privileged, and tells the test in the test's memory.
#include "deferred.h"

extern volatile uint32_t sets_deferred;

void __real_deferred_add(struct flags *flags);
void __wrap_deferred_add(struct flags *flags);
void __wrap_deferred_add(struct flags *flags) {
    sets_deferred++;
    __real_deferred_add(flags);
}
