// SPDX-License-Identifier: MIT
//
// The driver of the UART: a server that sends the text of each call, with an interrupt for each
// character. It has a bug on purpose: it stores the beginning of each text in an array and never
// starts again at the beginning of the array. After some calls it writes beyond its memory and
// faults.
#include "uart.h"
#include <bulkhead/bulkhead.h>
#include <handles.h>

enum { ALIVE_TICKS = 20 }; // ticks without a call after which the driver reports that it is alive

static uint32_t remembered[8];
static uint32_t *next = remembered;

static void start_device(void) {
    UART_CONTROL = UART_STOPPED; // after a restart the transmitter may still be running
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
            *next++ = words[0]; // the bug: writes beyond the array
            send((const char *)words);
        }
    }
}
