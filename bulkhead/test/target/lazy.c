// SPDX-License-Identifier: MIT
//
// Tests faults of lazy floating-point stacking. A thread makes a system call whose exception frame
// ends above its stack, so that there is no memory for the floating-point registers. The processor
// reports the fault only when it saves these registers, in the middle of the switch to another
// thread. An interrupt is injected at each instruction of the path that follows, and the kernel
// must stay correct. Also tests that a thread that exits causes no such fault.
#include "handles.h"
#include "injection.h"
#include "report.h"
#include <bulkhead/bulkhead.h>
#include <bulkhead/fault.h>

// The build defines STACK_BYTES, the size of the MPU region of each stack.
enum { POSITIONS = 6000, FLOAT_FRAME_BYTES = 72 };

extern char overflower_stack[], leaver_stack[];

static uint32_t high_runs, higher_runs;

// Makes a system call whose exception frame lies in the stack except for the floating-point
// registers, which would be above the stack.
#define CALL_FROM_END(stack, handle, method)                                                    \
    __asm__ volatile("vmov s0, %0\n\tmov sp, %0\n\tmovs r1, %1\n\tmovs r2, %2\n\t"              \
                     "svc 0\n1:  b 1b"                                                          \
                     :                                                                          \
                     : "r"((stack) + STACK_BYTES + FLOAT_FRAME_BYTES), "i"(handle), "i"(method) \
                     : "r1", "r2", "s0", "memory")

void overflower_main(void);
void overflower_main(void) {
    bulkhead_notification_wait(BULKHEAD_FOREVER);
    CALL_FROM_END(overflower_stack, INTERRUPT_FIRST, BULKHEAD_INTERRUPT_PEND);
}

void leaver_main(void);
void leaver_main(void) {
    CALL_FROM_END(leaver_stack, BULKHEAD_SELF, BULKHEAD_SELF_EXIT);
}

void high_main(void);
void high_main(void) {
    for (;;) {
        high_runs++;
        bulkhead_suspend(THREAD_HIGH);
    }
}

void higher_main(void);
void higher_main(void) {
    for (;;) {
        higher_runs++;
        bulkhead_suspend(THREAD_HIGHER);
    }
}

static uint32_t faults(void) {
    static struct bulkhead_fault fault;
    require(bulkhead_fault_read(PROCESS_OVERFLOWING, &fault) == BULKHEAD_OK,
            "no fault was reported");
    require(fault.kind == BULKHEAD_FAULT_STACK, "it was not the stack's");
    require(fault.thread == THREAD_OVERFLOWER, "it was another thread's");
    for (uint32_t i = 0; i < 8; i++) {
        require(fault.registers.r4_to_r11[i] == 0, "the kernel's registers were reported");
    }
    return fault.faults;
}

// Makes the call with an interrupt injected at `position`. Returns whether the interrupt came.
static bool attempt(uint32_t position) {
    injection_arm(position);
    require(bulkhead_notify(THREAD_OVERFLOWER) == BULKHEAD_OK, "it is not there");
    const bool came = injection_disarm() != 0;
    require(higher_runs == (came ? position : position - 1), "an interrupt was lost");
    require(bulkhead_notification_wait(BULKHEAD_NO_WAIT) == BULKHEAD_OK, "the fault was not told");
    require(faults() == position, "a fault was lost, or is another's");
    return came;
}

static void require_quiet_end(void) {
    const uint32_t before = faults();
    require(bulkhead_start_thread(THREAD_LEAVER) == BULKHEAD_OK, "a thread was not started");
    require(bulkhead_join(THREAD_LEAVER, BULKHEAD_NO_WAIT) == BULKHEAD_OK, "it did not end");
    require(faults() == before, "a thread that ended was at fault");
}

void prover_main(void);
void prover_main(void) {
    uint32_t position = 1;
    injection_bind_line(1);
    while (attempt(position)) {
        require(position++ < POSITIONS, "it has no end");
    }
    require(high_runs != 0, "a fault kept the switch from its thread");
    require_quiet_end();
    say("lazy: interrupts ");
    say_number(position);
    succeed();
}
