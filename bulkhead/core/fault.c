// SPDX-License-Identifier: MIT
//
// What happens to a process whose thread did what it must not. All its threads end; if its policy
// says so, its memory goes back to what the image holds and its threads start again. The rest of
// the system goes on.
//
// What the other processes see: threads that waited for a mutex of the ended ones get it, and are
// told (BULKHEAD_PEER_LOST); the supervisor is notified. Counts and messages in kernel objects
// stay.
#include "methods.h"

static void end_threads(const struct process *process) {
    for (uint32_t i = 0; i < kernel_thread_count; i++) {
        if (kernel_threads[i].process == process) {
            thread_end(&kernel_threads[i], BULKHEAD_PEER_LOST);
        }
    }
}

void process_load(const struct process_memory *memory) {
    kernel_copy(memory->start, memory->zero, memory->load);
    kernel_clear(memory->zero, memory->end);
}

// For its supervisor.
decision process_fault_read(const struct process *process, struct arch_frame *frame) {
    const struct bulkhead_fault *report = process->report;
    const struct user_pointer to = {arch_argument(frame)};
    if (report->faults == 0) {
        return kernel_answer(BULKHEAD_REFUSED);
    }
    if (!arch_copy_out(to, (const uint32_t *)report, sizeof *report / sizeof(uint32_t))) {
        return kernel_answer(BULKHEAD_DENIED);
    }
    return GO_ON;
}

decision kernel_fault(void) {
    const struct process *process = kernel.process;
    end_threads(process);
    if (process->restarts) {
        process_load(&process->memory);
        threads_launch(process);
    }
    if (process->supervisor != NULL) {
        const decision told = thread_notify(process->supervisor);
        (void)told; // the highest thread runs next in any case
    }
    return thread_highest();
}
