// SPDX-License-Identifier: MIT
//
// A process of share.c that may only read the share, and tries to write to it.
#include "attempts.h"
#include "handles.h"
#include "share.h"
#include <bulkhead/bulkhead.h>
#include <bulkhead/fault.h>
#include <share_machine.h>

// Reads the word for `ticks` ticks. Returns how many reads did not return the initial value 0.
static uint32_t spin(const volatile uint32_t *from, uint32_t ticks) {
    const uint32_t end = bulkhead_ticks() + ticks, expected = *from;
    uint32_t others = 0;
    while ((int32_t)(bulkhead_ticks() - end) < 0) {
        others += *from != expected;
    }
    return others;
}

static void write(uint32_t what, uint32_t address) {
    switch (what) {
    case WRITE_WORD:
        *(volatile uint32_t *)address = 1;
        break;
    case WRITE_HALF:
        *(volatile uint16_t *)address = 1;
        break;
    case WRITE_BYTE:
        *(volatile uint8_t *)address = 1;
        break;
    default:
        write_exclusive((volatile uint32_t *)address);
    }
}

static uint32_t call(uint32_t what, uint32_t address) {
    void *const there = (void *)address;
    switch (what) {
    case RECEIVE_SHORT:
        return bulkhead_queue_receive(QUEUE_SHORT, there, BULKHEAD_NO_WAIT);
    case RECEIVE_WORDS:
        return bulkhead_queue_receive(QUEUE_WORDS, there, BULKHEAD_NO_WAIT);
    case READ_FAULT:
        return bulkhead_fault_read(PROCESS_WRITER, there);
    case SEND:
        return bulkhead_queue_send(QUEUE_BACK, there, BULKHEAD_NO_WAIT);
    default:
        call_from(address);
        return 0;
    }
}

static uint32_t attempt(const volatile struct share_order *order) {
    const volatile uint32_t *from = (const volatile uint32_t *)order->address;
    switch (order->attempt) {
    case READ:
        return *from;
    case SPIN:
        return spin(from, order->value);
    case ANNOUNCE:
        bulkhead_flags_set(FLAGS_NEWS, order->value);
        return *from;
    case WRITE_WORD:
    case WRITE_HALF:
    case WRITE_BYTE:
    case WRITE_EXCLUSIVE:
        write(order->attempt, order->address);
        return 0;
    default:
        return call(order->attempt, order->address);
    }
}

static _Noreturn void obey(volatile struct share_order *order, uint32_t go) {
    for (;;) {
        (void)bulkhead_semaphore_take(go, BULKHEAD_FOREVER);
        order->result = attempt(order);
        order->is_done = true;
    }
}

void reader_main_entry(void);
void reader_main_entry(void) {
    obey(&share_orders[READER], SEMAPHORE_READER_GO);
}

void reader_other_entry(void);
void reader_other_entry(void) {
    obey(&share_orders[OTHER_READER], SEMAPHORE_OTHER_GO);
}
