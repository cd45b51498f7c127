// SPDX-License-Identifier: MIT
//
// The UART's driver: a server that sends the text of each call, with an interrupt for each
// character. It has a fault on purpose: it remembers the beginning of each text and never starts
// again at the beginning of its memory. After some calls it writes beyond that memory.
#include "uart.h"
#include <bulkhead/bulkhead.h>
#include <handles.h>

enum { ALIVE_TICKS = 20 }; // the time without a call after which it says that it is alive

static uint32_t remembered[8];
static uint32_t *next = remembered;

static void start_device(void) {
    UART_CONTROL = UART_STOPPED; // it may still be running, after a restart
    UART_INTERRUPT_CLEAR = UART_SENT;
    UART_DIVISOR = UART_CYCLES_PER_BIT;
    UART_CONTROL = UART_SENDING;
}

static void send(const char *text) {
    for (uint32_t i = 0; i < UART_CHARACTERS && text[i] != '\0'; i++) {
        UART_DATA = (uint8_t)text[i];
        (void)bulkhead_interrupt_wait(INTERRUPT_UART_SENT, BULKHEAD_FOREVER);
        UART_INTERRUPT_CLEAR = UART_SENT;
    }
}

void uart_main(void);
void uart_main(void) {
    uint32_t words[4] = {0}, caller;
    start_device();
    for (;;) {
        (void)bulkhead_flags_set(FLAGS_UART_ALIVE, 1);
        if (bulkhead_gate_receive(GATE_UART, words, &caller, ALIVE_TICKS) == BULKHEAD_OK) {
            *next++ = words[0]; // the fault
            send((const char *)words);
        }
    }
}
