// SPDX-License-Identifier: MIT
//
// The server of the calls test, in a process of its own.
#include "service.h"
#include "handles.h"
#include "report.h"
#include <bulkhead/bulkhead.h>

static uint32_t wrong_registers;

static void spin(uint32_t ticks) {
    const uint32_t start = bulkhead_page.ticks;
    while (bulkhead_page.ticks - start < ticks) {
    }
}

static void serve(uint32_t words[4], uint32_t caller) {
    switch (words[0]) {
    case SPIN:
        spin(words[1]);
        break;
    case SLEEP:
        bulkhead_delay(words[1]);
        break;
    case FAULT:
        bulkhead_delay(words[1]);
        *(volatile uint32_t *)0 = 0;
        break;
    case RECURSE: {
        uint32_t to_itself[4] = {ECHO};
        words[1] = bulkhead_gate_call(GATE_SERVICE, to_itself, BULKHEAD_FOREVER);
        return;
    }
    case FILL:
        __asm__ volatile("vmov s1, %0\n\tvmov s17, %0" : : "r"(~0u) : "s1", "s17");
        break;
    case LOOK:
        words[1] = floating();
        return;
    case COMPARE:
        words[1] = wrong_registers;
        words[0] = caller;
        return;
    }
    words[0] = caller;
    for (int i = 1; i < 4; i++) {
        words[i] = echo_of(words[i]);
    }
}

// Waits for a call with a pattern in the registers that are none of the call's. Not 0 if any of
// them comes back changed.
uint32_t service_receive(uint32_t words[4], uint32_t *caller, uint32_t gate, uint32_t method);
__asm__(".text\n\t"
        ".thumb_func\n"
        "service_receive:\n\t"
        "push {r0, r1, r4-r11, lr}\n\t"
        "ldmia r0, {r8-r11}\n\t"
        "movs r0, #0\n\t"
        "mov r1, r2\n\t"
        "mov r2, r3\n\t"
        "movs r4, #0x44\n\t"
        "movs r5, #0x55\n\t"
        "movs r6, #0x66\n\t"
        "movs r7, #0x77\n\t"
        "mov r12, #0xCC\n\t"
        "svc 0\n\t"
        "eor r4, #0x44\n\t"
        "eor r5, #0x55\n\t"
        "eor r6, #0x66\n\t"
        "eor r7, #0x77\n\t"
        "eor r12, #0xCC\n\t"
        "orr r0, r4\n\t"
        "orr r0, r5\n\t"
        "orr r0, r6\n\t"
        "orr r0, r7\n\t"
        "orr r0, r12\n\t"
        "pop {r4, r5}\n\t"
        "stmia r4, {r8-r11}\n\t"
        "str r3, [r5]\n\t"
        "pop {r4-r11, pc}");

void server_main(void);
void server_main(void) {
    uint32_t words[4] = {0};
    for (;;) {
        uint32_t caller;
        wrong_registers +=
            service_receive(words, &caller, GATE_SERVICE, BULKHEAD_GATE_RECEIVE) != 0;
        serve(words, caller);
    }
}

// A thread beside the server has its rights, and is not the server.
void impostor_main(void);
void impostor_main(void) {
    uint32_t words[4] = {0}, caller;
    const enum bulkhead_result result =
        bulkhead_gate_receive(GATE_SERVICE, words, &caller, BULKHEAD_NO_WAIT);
    if (result == BULKHEAD_REFUSED) {
        bulkhead_semaphore_give(SEMAPHORE_REFUSED);
    }
    bulkhead_exit();
}
