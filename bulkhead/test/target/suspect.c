// SPDX-License-Identifier: MIT
//
// The hostile process of isolation.c: it makes every attack that the test orders (orders.h). The
// processor and the kernel decide whether it survives.
#include "attempts.h"
#include "handles.h"
#include "orders.h"
#include <bulkhead/bulkhead.h>

volatile struct order order;

static void attempt(void) {
    volatile uint32_t *address = (volatile uint32_t *)order.address;
    switch (order.attempt) {
    case READ:
        (void)*address;
        break;
    case WRITE:
        *address = order.value;
        break;
    case JUMP:
        ((void (*)(void))(order.address | JUMP_BITS))();
        break;
    case CALL_FROM:
        call_from(order.address);
        break;
    case BREAK:
        stop_at_breakpoint();
        break;
    case MASK:
        mask_interrupts();
        break;
    case UNDEFINED:
        run_undefined(order.value);
        break;
    case CALL:
        order.result =
            bulkhead_call_2(order.address, order.value, order.arguments[0], order.arguments[1]);
        break;
    case ESCALATE:
        escalate();
        (void)*address;
        break;
    }
}

void suspect_main(void);
void suspect_main(void) {
    for (;;) {
        bulkhead_notification_wait(BULKHEAD_FOREVER);
        attempt();
        order.done = 1;
        bulkhead_notify(THREAD_PROVER);
    }
}
