// SPDX-License-Identifier: MIT
//
// The memory of a process at start and after a fault, and the report of the fault.
#include "methods.h"

// Number of words that are loaded before the next test for pending interrupts.
enum { AT_ONCE = 16 };

// Initialises the memory of a process from `at` on: first the words that are copied, then the words
// that are cleared.
uint32_t *process_load(const struct process_memory *memory, uint32_t *at) {
    uint32_t *const end = at + AT_ONCE;
    if (at < memory->zero) {
        uint32_t *const copied = end < memory->zero ? end : memory->zero;
        kernel_copy(at, copied, memory->load + (at - memory->start));
        return copied;
    }
    uint32_t *const cleared = end < memory->end ? end : memory->end;
    kernel_clear(at, cleared);
    return cleared;
}

// Reads the report of the last fault of `process`. Only the supervisor of the process may call it.
struct thread *process_fault_read(const struct process *process, struct arch_frame *frame) {
    const struct bulkhead_fault *report = process->report;
    const struct user_pointer to = {arch_argument(frame)};
    if (report->faults == 0) {
        return kernel_fail(BULKHEAD_REFUSED);
    }
    if (!arch_copy_out(to, (const uint32_t *)report, sizeof *report / sizeof(uint32_t))) {
        return kernel_fail(BULKHEAD_DENIED);
    }
    return NO_SWITCH;
}
