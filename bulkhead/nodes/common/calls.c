// SPDX-License-Identifier: MIT
//
// The table of calls, with the calls that do not depend on the scheduler.
#include "machine.h"
#include "protection.h"
#include "scheduler.h"

static struct thread *call_bad(uint32_t argument, struct thread *self, uint32_t call) {
    (void)argument;
    (void)call;
    return finish(self, NODES_BAD_CALL);
}

static struct thread *call_self(uint32_t argument, struct thread *self, uint32_t call) {
    (void)argument;
    (void)call;
    return finish(self, self->index);
}

static struct thread *call_request(uint32_t argument, struct thread *self, uint32_t call) {
    (void)call;
    return finish(self, kernel_system->request ? kernel_system->request(argument) : NODES_BAD_CALL);
}

call_handler *calls[NODES_CALLS];

void calls_boot(void) {
    for (uint32_t call = 0; call < NODES_CALLS; call++) {
        calls[call] = call_bad;
    }
    calls[NODES_CALL_SELF] = call_self;
    calls[NODES_CALL_REQUEST] = call_request;
}

_Noreturn void kernel_stop(const char *reason) {
    if (kernel_system->stopped) {
        kernel_system->stopped(reason);
    }
    for (;;) {
    }
}

// Reports a fault of a task and ends the task. Stops the node after a fault in the kernel, because
// a task that continued afterwards would run in machine mode.
struct thread *kernel_fault(uint32_t cause, uint32_t pc, struct thread *self) {
    if (machine_previous_mode() != PROTECTION_MODE) {
        kernel_stop("the kernel has faulted");
    }
    if (kernel_system->faulted) {
        kernel_system->faulted(self->index, cause, pc);
    }
    return calls[NODES_CALL_EXIT](0, self, NODES_CALL_EXIT);
}
