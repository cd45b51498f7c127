// SPDX-License-Identifier: MIT
//
// Counts how often idle goes on with a termination, how often it does so above all threads of the
// process, and the faults of processes of which some threads, but not all, were launched again. The
// linker wraps the kernel's own functions with these. They run privileged, and write to the test's
// memory.
#include "methods.h"

extern volatile uint32_t ends_deferred, ends_lifted, faults_in_launch;

struct thread *__real_idle_work(void *unused, struct arch_frame *frame);
struct thread *__wrap_idle_work(void *unused, struct arch_frame *frame);
struct thread *__wrap_idle_work(void *unused, struct arch_frame *frame) {
    const struct thread *first = kernel.ending.first;
    ends_deferred += first != NULL;
    ends_lifted += first != NULL && first->priority_mask > first->process->highest_priority_mask;
    return __real_idle_work(unused, frame);
}

void __real_kernel_fault(void);
void __wrap_kernel_fault(void);
void __wrap_kernel_fault(void) {
    faults_in_launch += (kernel.process->last->state & THREAD_RELOADS) != 0;
    __real_kernel_fault();
}
