// SPDX-License-Identifier: MIT
//
// Last steps of a call or an interrupt handler: to choose the thread that runs next, to request a
// switch, or to set the result of a call that fails. They are out of line, because no fast path
// uses them.
#include "kernel.h"

__attribute__((noinline)) struct thread *thread_highest(void) {
    return ready_highest(&kernel.ready);
}

__attribute__((noinline)) void kernel_request_switch(void) {
    arch_switch_request();
}

// Sets the result of the call. Computes the address of the caller's frame again, so that the common
// calls need no register for it.
__attribute__((noinline)) struct thread *kernel_fail(enum bulkhead_result result) {
    arch_set_result(arch_caller_frame(), result);
    return NO_SWITCH;
}
