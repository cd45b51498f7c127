// SPDX-License-Identifier: MIT
//
// A hostile driver, which replaces ../uart.c: it serves some calls, then overwrites the memory of
// the control loop. It finds that memory by the names of addresses, which every process may read.
#include "../uart.h"
#include <bulkhead/bulkhead.h>
#include <handles.h>

enum { SERVED_CALLS = 12, STEP_BYTES = 32, ALIVE_TICKS = 20 };
#define DATA_MEMORY 0x20000000u

static uint32_t is_control(const char *name) {
    const char *wanted = "control_data";
    while (*wanted != '\0' && *name == *wanted) {
        name++;
        wanted++;
    }
    return *name == *wanted;
}

static _Noreturn void attack(void) {
    for (uint32_t address = DATA_MEMORY;; address += STEP_BYTES) {
        const struct bulkhead_place *place = bulkhead_place_of(address);
        for (uint32_t i = 0; place && is_control(place->name) && i < place->bytes; i += 4) {
            *(volatile uint32_t *)(place->address + i) = UINT32_MAX;
        }
    }
}

static void send(const char *text) {
    for (uint32_t i = 0; i < UART_CHARACTERS && text[i] != '\0'; i++) {
        UART_DATA = (uint8_t)text[i];
    }
}

// Reports that it is alive, as the other driver does.
static void receive(uint32_t words[4]) {
    uint32_t caller;
    do {
        (void)bulkhead_flags_set(FLAGS_UART_ALIVE, 1);
    } while (bulkhead_gate_receive(GATE_UART, words, &caller, ALIVE_TICKS) != BULKHEAD_OK);
}

void uart_main(void);
void uart_main(void) {
    uint32_t words[4] = {0};
    UART_CONTROL = UART_SENDING;
    for (uint32_t calls = 0; calls < SERVED_CALLS; calls++) {
        receive(words);
        send((const char *)words);
    }
    receive(words);
    attack();
}
