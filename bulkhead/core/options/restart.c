// SPDX-License-Identifier: MIT
//
// The calls by which a supervisor restarts and ends a process. Only a system that declares a policy
// for restarts has this file. The policy itself is user code (user/supervise.c).
//
// A process with a row of its own never restarts by itself: a fault ends it, and its supervisor
// decides. A restart is a termination (end.c) that ends with a launch. It is complete before the
// caller goes on, like the termination that a caller of a server waits for, so a supervisor never
// sees half of it. It has the highest priority that is declared for a thread of the process, or
// that of the caller if it is higher: a thread of the process that is above both does not let the
// caller run either.
#include "restart.h"
#include "methods.h"
#include "optional.h"

bool restart_is_wanted(const struct process *process) {
    const struct restart *row = kernel_restart_of(process);
    return row == NULL ? process->restarts : row->is_wanted;
}

// A wish is for one launch: after each fault the supervisor decides again.
void restart_forget(const struct process *process) {
    struct restart *row = kernel_restart_of(process);
    if (row != NULL) {
        row->is_wanted = false;
    }
}

void restart_complete(const struct process *process) {
    struct restart *row = kernel_restart_of(process);
    if (row != NULL) {
        row->is_ended = !row->is_wanted;
    }
}

bool restart_is_ended(const struct process *process) {
    const struct restart *row = kernel_restart_of(process);
    return row != NULL && row->is_ended;
}

static uint32_t higher(uint32_t mask, uint32_t other) {
    return mask > other ? mask : other;
}

// Begins the termination of a process, or begins it again. Idle runs before the caller and its
// equals.
static struct thread *end(const struct process *process, bool is_restart) {
    const uint32_t own = process->highest_priority_mask;
    kernel_restart_of(process)->is_wanted = is_restart;
    kernel_end_process(process->last, higher(own, kernel.current->priority_mask));
    *kernel_idle.level = &kernel_idle;
    return thread_highest();
}

struct thread *process_restart(const struct process *process) {
    return end(process, true);
}

struct thread *process_end(const struct process *process) {
    return end(process, false);
}

struct thread *process_is_ended(const struct process *process) {
    return kernel_restart_of(process)->is_ended ? NO_SWITCH : kernel_fail(BULKHEAD_REFUSED);
}
