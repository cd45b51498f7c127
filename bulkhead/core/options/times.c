// SPDX-License-Identifier: MIT
//
// The processor time of each thread, in counts of the tick's clock. Only a system that declares
// `thread_times` has this file.
//
// The time between two switches is that of the thread that ran: its calls and the interrupts that
// came meanwhile are included. Work that the kernel defers is the idle thread's.
#include "measures.h"
#include "methods.h"
#include "options/budget.h"

static struct {
    uint64_t *payer; // the counter of the thread to which the time since the last charge belongs
    uint32_t ticks, part;
} times;

// Charges the time since the last charge. Counts whole ticks separately, because the clock alone
// wraps within a long interval. The rest may be longer than a tick if a tick is pending.
static void times_charge(void) {
    const uint32_t period = arch_clock_tick(), ticks = kernel.ticks;
    const uint32_t part = arch_clock() - ticks * period;
    if (times.payer != NULL) {
        const uint64_t whole = (uint64_t)(ticks - times.ticks) * period;
        *times.payer += whole + (uint64_t)(int64_t)(int32_t)(part - times.part);
    }
    times.ticks = ticks;
    times.part = part;
}

void times_enter(const struct thread *to) {
    const uint32_t own = (uint32_t)(to - kernel_threads);
    times_charge();
    times.payer = kernel_measured[to == &kernel_idle ? kernel_thread_count : own].counts;
}

struct thread *measured_time(const struct measured *measured, struct arch_frame *frame) {
    const struct user_pointer to = {arch_argument(frame)};
    times_charge();
    if (!arch_copy_out(to, (const uint32_t *)measured->counts, 2)) {
        return kernel_fail(BULKHEAD_DENIED);
    }
    return NO_SWITCH;
}
