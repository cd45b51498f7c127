// SPDX-License-Identifier: MIT
//
// The hostile process of the test `log` (log.c). Each access to memory of others is a fault, after
// which the kernel restarts the process. The process then makes the next access: its log survives
// the restart and tells the number of accesses so far.
#include "log.h"

extern uint32_t kernel_trace[]; // defined by the linker script
extern const uint32_t bulkhead_identities[];

void hostile_main(void);

static void write_to(const void *address) {
    *(volatile uint32_t *)(uintptr_t)address = 0;
}

static void read_from(const void *address) {
    (void)*(const volatile uint32_t *)address;
}

static void reach_for_others(uint32_t step) {
    const struct bulkhead_log *teller = LOG_TELLER;
    switch (step) {
    case 0:
        write_to(teller->ring);
        break;
    case 1:
        write_to(bulkhead_entry_of(teller->ring, teller->mask, teller->mask)->values + 3);
        break;
    case 2:
        read_from(teller->ring);
        break;
    case 3:
        write_to(LOG_SILENT->ring);
        break;
    case 4:
        write_to(kernel_trace);
        break;
    case 5:
        read_from(kernel_trace + 8);
        break;
    default:
        BULKHEAD_LOG(LOG_TELLER, "forged"); // writes to the teller's log as the teller does
        break;
    }
}

// Writes an event with a correct checksum to the log of this process.
static void write_own(uint32_t number, struct bulkhead_entry event) {
    struct bulkhead_entry *own = bulkhead_entry_of(LOG_HOSTILE->ring, LOG_HOSTILE->mask, number);
    *own = event;
    own->check = bulkhead_entry_check(number, own);
}

// Fills the log with events that a reader might handle wrongly, and sets the counter just before it
// wraps.
static void write_nonsense(void) {
    const uint32_t first = 0u - 4;
    const uint32_t now = bulkhead_page.ticks, others = bulkhead_identities[1];
    const uint32_t many = UINT32_MAX;
    static const struct bulkhead_entry zero;
    write_own(first, (struct bulkhead_entry){.ticks = now, .thread = others, .what = 1});
    write_own(first + 1, (struct bulkhead_entry){.ticks = many, .thread = many, .what = many});
    write_own(first + 2, (struct bulkhead_entry){.ticks = 0, .what = 0x7FFFFFFF});
    write_own(first + 3, (struct bulkhead_entry){.ticks = now, .values = {many, many, many, many}});
    write_own(0, (struct bulkhead_entry){.ticks = now, .thread = bulkhead_page.self});
    *bulkhead_entry_of(LOG_HOSTILE->ring, LOG_HOSTILE->mask, 1) = zero;
    LOG_HOSTILE->ring->written = 2;
    BULKHEAD_LOG(LOG_HOSTILE, "%c%c%c honest %u", 27, '\n', many, now);
}

void hostile_main(void) {
    volatile uint32_t *step = &LOG_HOSTILE->ring->unused[0];
    (void)bulkhead_notification_wait(BULKHEAD_FOREVER);
    while (*step < HOSTILE_ACCESSES) {
        *step += 1;
        reach_for_others(*step - 1);
    }
    write_nonsense();
    hostile_is_done = true;
    (void)bulkhead_notification_wait(BULKHEAD_FOREVER);
}
