// SPDX-License-Identifier: MIT
//
// A process that does what it is told, however bad. Whether it survives is for the MPU and the
// kernel.
#include "handles.h"
#include "orders.h"
#include <bulkhead/bulkhead.h>

volatile struct order order;

static void call_from(uint32_t stack_pointer) {
    __asm__ volatile("mov r4, sp\n\t"
                     "mov sp, %0\n\t"
                     "movs r1, #0\n\t"
                     "movs r2, #0\n\t"
                     "svc 0\n\t"
                     "mov sp, r4"
                     :
                     : "r"(stack_pointer)
                     : "r0", "r1", "r2", "r4", "memory");
}

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
        ((void (*)(void))(order.address | 1u))();
        break;
    case CALL_FROM:
        call_from(order.address);
        break;
    case BREAK:
        __asm__ volatile("bkpt #1");
        break;
    case MASK:
        __asm__ volatile("cpsid i\n\tcpsid f");
        break;
    case UNDEFINED:
        __asm__ volatile("mov r10, %0\n\tudf #0" : : "r"(order.value) : "r10");
        break;
    case CALL:
        order.result =
            bulkhead_call_2(order.address, order.value, order.arguments[0], order.arguments[1]);
        break;
    case ESCALATE:
        __asm__ volatile("msr control, %0\n\tisb" : : "r"(0) : "memory");
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
