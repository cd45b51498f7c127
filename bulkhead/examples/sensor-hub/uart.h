// SPDX-License-Identifier: MIT
//
// The calls of the UART's driver, and its device.
#ifndef UART_H
#define UART_H

#include <stdint.h>

// A call carries up to 16 characters in its four words; a character 0 ends the text before that.
enum { UART_CHARACTERS = 16 };

#define UART_DATA (*(volatile uint32_t *)0x40004000u)
#define UART_CONTROL (*(volatile uint32_t *)0x40004008u)
#define UART_INTERRUPT_CLEAR (*(volatile uint32_t *)0x4000400Cu)
#define UART_DIVISOR (*(volatile uint32_t *)0x40004010u)

enum {
    UART_STOPPED = 0,
    UART_SENDING = 5, // enables the transmitter and its interrupt
    UART_SENT = 1,
    UART_CYCLES_PER_BIT = 217, // 115,200 baud at 25 MHz
};

#endif
