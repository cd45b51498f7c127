// SPDX-License-Identifier: MIT
//
// A hostile driver, in place of the other one: it serves some calls, then it overwrites the memory
// of the control loop. The names of addresses, which every process may read, show where it is.
#include "../uart.h"
#include <bulkhead/bulkhead.h>
#include <handles.h>

enum { SERVED_CALLS = 12, STEP_BYTES = 32 };
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

void uart_main(void);
void uart_main(void) {
    uint32_t words[4] = {0}, caller;
    UART_CONTROL = UART_SENDING;
    for (uint32_t calls = 0; calls < SERVED_CALLS; calls++) {
        (void)bulkhead_gate_receive(GATE_UART, words, &caller, BULKHEAD_FOREVER);
        send((const char *)words);
    }
    (void)bulkhead_gate_receive(GATE_UART, words, &caller, BULKHEAD_FOREVER);
    attack();
}
