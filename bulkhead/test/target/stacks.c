// SPDX-License-Identifier: MIT
//
// Tests that a thread may use all of its stack_bytes, because the exception frames of calls and
// interrupts have extra room below them. A thread that uses more is terminated.
#include "deep.h"
#include "handles.h"
#include "report.h"
#include <bulkhead/bulkhead.h>
#include <bulkhead/fault.h>

enum { STACK_BYTES = 416 };

extern char whole_stack[], beyond_stack[];

// Returns the lowest address that a thread with this stack may use.
static uint32_t lowest(const char *stack) {
    const struct bulkhead_place *place = bulkhead_place_of((uint32_t)stack);
    return place->address + place->bytes - STACK_BYTES;
}

void whole_main(void);
void whole_main(void) {
    deep_wait(lowest(whole_stack));
    bulkhead_exit();
}

void beyond_main(void);
void beyond_main(void) {
    deep_wait((uint32_t)beyond_stack + DEEP_TOO_FAR);
}

void prover_main(void);
void prover_main(void) {
    static struct bulkhead_fault fault;
    require(bulkhead_join(THREAD_WHOLE, BULKHEAD_FOREVER) == BULKHEAD_OK, "it did not end");
    require(bulkhead_fault_read(PROCESS_DEEP, &fault) == BULKHEAD_REFUSED,
            "a thread that used its stack faulted");
    require(bulkhead_start_thread(THREAD_BEYOND) == BULKHEAD_OK, "it was not started");
    require(bulkhead_notification_wait(BULKHEAD_FOREVER) == BULKHEAD_OK, "it was not told");
    require(bulkhead_fault_read(PROCESS_DEEP, &fault) == BULKHEAD_OK, "no fault was reported");
    require(fault.thread == THREAD_BEYOND, "it was another thread's");
    require(fault.kind == BULKHEAD_FAULT_STACK, "it was not the stack's");
    say("stacks: bytes used ");
    say_number(STACK_BYTES);
    succeed();
}
