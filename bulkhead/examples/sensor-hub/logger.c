// SPDX-License-Identifier: MIT
//
// The logger: writes a line for each record, by calls to the driver. A call fails if the driver
// faults, and until the supervisor has restarted it; the logger then makes the same call again.
#include "record.h"
#include "uart.h"
#include <bulkhead/bulkhead.h>
#include <console.h>
#include <handles.h>

static struct {
    char text[UART_CHARACTERS] __attribute__((aligned(4)));
    uint32_t length;
} line;

static uint32_t repeated; // number of repeated calls

static void flush(void) {
    const uint32_t *text = (const uint32_t *)line.text;
    for (;;) {
        // a copy, because the answer overwrites the words
        uint32_t words[4] = {text[0], text[1], text[2], text[3]};
        if (bulkhead_gate_call(GATE_UART, words, BULKHEAD_FOREVER) != BULKHEAD_PEER_LOST) {
            break;
        }
        repeated++;
        bulkhead_delay(1);
    }
    line.length = 0;
}

static void put(char character) {
    line.text[line.length++] = character;
    if (line.length == UART_CHARACTERS || character == '\n') {
        for (uint32_t i = line.length; i < UART_CHARACTERS; i++) {
            line.text[i] = '\0';
        }
        flush();
    }
}

static void write(const char *text) {
    while (*text != '\0') {
        put(*text++);
    }
}

static void write_number(uint32_t number, uint32_t base) {
    if (number >= base) {
        write_number(number / base, base);
    }
    put("0123456789abcdef"[number % base]);
}

// For each kind of record, the texts that precede its numbers.
static const char *const texts[][3] = {
    [RECORD_POSITION] = {"control: period ", ", position in um ", NULL},
    [RECORD_SUMMARY] = {"control: period ", ", missed ", ", sum of positions "},
    [RECORD_FAULT] = {"supervisor: fault of the driver ", ", kind ", ", address 0x"},
    [RECORD_RESET] = {"supervisor: reset after tick ", ", cause ", ", thread "},
};

static void write_record(const struct record *record) {
    const uint32_t last_base = record->kind == RECORD_FAULT ? 16 : 10;
    for (uint32_t i = 0; i < 3 && texts[record->kind][i] != NULL; i++) {
        write(texts[record->kind][i]);
        write_number(record->words[i], i == 2 ? last_base : 10);
    }
    write("\n");
}

void logger_main(void);
void logger_main(void) {
    struct record record;
    do {
        (void)bulkhead_queue_receive(QUEUE_RECORDS, &record, BULKHEAD_FOREVER);
        write_record(&record);
    } while (record.kind != RECORD_SUMMARY);
    write("logger: repeated calls ");
    write_number(repeated, 10);
    write("\n");
    console_end(); // ends the emulator; a product would continue
}
