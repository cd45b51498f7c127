// SPDX-License-Identifier: MIT
//
// How a call or an interrupt ends: functions that are out of line, because they are no part of a
// short path.
#include "kernel.h"

__attribute__((noinline)) struct thread *thread_highest(void) {
    return ready_highest(&kernel.ready);
}

__attribute__((noinline)) void kernel_request_switch(void) {
    arch_switch_request();
}

// Finds the frame of the caller again, so that the common calls need no register for it.
__attribute__((noinline)) struct thread *kernel_fail(enum bulkhead_result result) {
    arch_set_result(arch_caller_frame(), result);
    return NO_SWITCH;
}
