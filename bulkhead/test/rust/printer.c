// SPDX-License-Identifier: MIT
//
// Prints the lines that the thread boss sends, in the process of boss, and then reads the log that
// boss wrote.
#include <bulkhead/bulkhead.h>
#include <console.h>
#include <handles.h>

struct line {
    uint32_t text, number;
};

// The enumeration Text of src/lib.rs; the last one ends the test.
static const char *const texts[] = {
    "faulted ",   "restarted ", "gave up ", "ended ", "faults ",  "stack used ",
    "time used ", "cause ",     "kind ",    "start ", "refused ",
};
enum { TEXTS = sizeof texts / sizeof texts[0] };

static void print(const char *text, uint32_t number) {
    console_write(text);
    console_write_number(number);
    console_write("\n");
}

// Prints the latest entry of the log, which boss wrote after its last line: whether the entry is
// intact, and its values.
static void read_log(void) {
    struct bulkhead_ring *ring = LOG_BOSS->ring;
    const uint32_t number = ring->written - 1;
    const struct bulkhead_entry *entry = bulkhead_entry_of(ring, LOG_BOSS->mask, number);
    print("log entry ", entry->check == bulkhead_entry_check(number, entry));
    print("log value ", entry->values[0]);
    print("log value ", -entry->values[1]);
}

void printer_main(void);
void printer_main(void) {
    struct line line;
    while (bulkhead_queue_receive(QUEUE_LINES, &line, BULKHEAD_FOREVER) == BULKHEAD_OK &&
           line.text < TEXTS) {
        print(texts[line.text], line.number);
    }
    read_log();
    console_end();
}
