// SPDX-License-Identifier: MIT
//
// Counts the ticks that stop while timers are due. The linker wraps the kernel's own function with
// this one. It runs privileged, and writes to the test's memory.
#include "deferred.h"

extern volatile uint32_t timers_deferred;

struct flags *__real_deferred_prioritise(void);
struct flags *__wrap_deferred_prioritise(void);
struct flags *__wrap_deferred_prioritise(void) {
    timers_deferred += kernel_has_expired() && kernel_idle.priority_mask == 0;
    return __real_deferred_prioritise();
}
