// SPDX-License-Identifier: MIT
//
// The process of share.c that writes the share. While it waits, its stack pointer is in the share,
// so that the kernel has to write the results of its calls to the share.
#include "handles.h"
#include "share.h"
#include <bulkhead/bulkhead.h>
#include <bulkhead/local.h>
#include <share_machine.h>

volatile uint32_t shared_value = FIRST_VALUE;
uint32_t shared_stack[24];

static uint32_t counted(void) {
    uint32_t count = 0;
    for (; bulkhead_semaphore_take(SEMAPHORE_TICKED, BULKHEAD_NO_WAIT) == BULKHEAD_OK; count++) {
    }
    return count;
}

static uint32_t attempt(uint32_t what, uint32_t value) {
    uint32_t *const top = &shared_stack[sizeof shared_stack / sizeof shared_stack[0]];
    uint32_t argument = what == AWAIT_TICKS ? value : 1;
    switch (what) {
    case PUT:
        shared_value = value;
        return 0;
    case AWAIT_TICKS:
        return wait_on(top, BULKHEAD_SELF, BULKHEAD_SELF_NOTIFICATION_WAIT, &argument);
    case AWAIT_FLAGS:
        return wait_on(top, FLAGS_NEWS, BULKHEAD_FLAGS_TAKE_ANY, &argument) == BULKHEAD_OK
                   ? argument
                   : 0;
    default:
        return counted();
    }
}

void writer_main_entry(void);
void writer_main_entry(void) {
    volatile struct share_order *order = &share_orders[WRITER];
    for (;;) {
        (void)bulkhead_semaphore_take(SEMAPHORE_WRITER_GO, BULKHEAD_FOREVER);
        order->result = attempt(order->attempt, order->value);
        order->is_done = true;
    }
}

void writer_fault_entry(void);
void writer_fault_entry(void) {
    (void)bulkhead_semaphore_take(SEMAPHORE_WRITER_END, BULKHEAD_FOREVER);
    *(volatile uint32_t *)0 = 0;
}
