// SPDX-License-Identifier: MIT
//
// For ends.c: counts three events in the kernel. `ends_deferred`: the idle thread continues a
// termination. `ends_lifted`: it does so at a priority above those of all threads of the process.
// `faults_in_launch`: a process faults when only some of its threads are launched again. The linker
// wraps functions of the kernel with these functions (--wrap), which run privileged and write to
// the test's memory.
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
