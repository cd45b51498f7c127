// SPDX-License-Identifier: MIT
//
// Tests a share: memory that one process may write and another process may only read. Every write
// by the reader, by an instruction or by a system call, must fail and change nothing. The kernel
// itself may write to the share on behalf of the writer while the reader runs; the reader must
// still be able to read it afterwards.
//
// The judge, which checks the results, has the lowest priority and no right to the share.
#include "share.h"
#include "handles.h"
#include "report.h"
#include <bulkhead/bulkhead.h>
#include <bulkhead/fault.h>

enum { LAST_WORD = SHARE_BYTES - 4, PUT_VALUE = 0x1234 };

volatile struct share_order share_orders[PARTIES];

static void order(uint32_t party, uint32_t attempt, uint32_t address, uint32_t value) {
    static const uint8_t go[PARTIES] = {SEMAPHORE_READER_GO, SEMAPHORE_OTHER_GO,
                                        SEMAPHORE_WRITER_GO};
    volatile struct share_order *given = &share_orders[party];
    given->attempt = attempt;
    given->address = address;
    given->value = value;
    given->is_done = false;
    require(bulkhead_semaphore_give(go[party]) == BULKHEAD_OK, "an order");
}

static uint32_t done(uint32_t party, const char *what) {
    require(share_orders[party].is_done, what);
    return share_orders[party].result;
}

static uint32_t faults(void) {
    uint32_t count = 0;
    for (; bulkhead_notification_wait(BULKHEAD_NO_WAIT) == BULKHEAD_OK; count++) {
    }
    return count;
}

// Requires that the reader reads `value` in the share and has not faulted since the last check.
static void require_seen(uint32_t value, const char *what) {
    require(faults() == 0, what);
    order(READER, READ, (uint32_t)&shared_value, 0);
    require(done(READER, what) == value, what);
}

static void put(uint32_t value) {
    order(WRITER, PUT, 0, value);
    (void)done(WRITER, "the writer cannot write");
}

// --- Writes of the reader ------------------------------------------------------------------------

static void require_fault(uint32_t attempt, uint32_t address) {
    struct bulkhead_fault report;
    order(READER, attempt, address, 0);
    require(!share_orders[READER].is_done, "the reader writes");
    require(faults() == 1, "a write of the reader is not reported");
    require(bulkhead_fault_read(PROCESS_READER, &report) == BULKHEAD_OK, "no report");
    require(attempt == CALL_FROM ||
                (report.kind == BULKHEAD_FAULT_DATA && report.address == address),
            "the report is of something else");
    require_seen(PUT_VALUE, "a write of the reader has an effect");
}

static void faults_alone(void) {
    const uint32_t start = (uint32_t)share_start, value = (uint32_t)&shared_value;
    put(PUT_VALUE);
    for (uint32_t attempt = WRITE_WORD; attempt <= WRITE_EXCLUSIVE; attempt++) {
        require_fault(attempt, value);
        require_fault(attempt, start);
        require_fault(attempt, start + LAST_WORD);
    }
    require_fault(CALL_FROM, start + SHARE_BYTES);
    require_fault(CALL_FROM, start + SHARE_BYTES - 8);
}

// --- Calls of the reader -------------------------------------------------------------------------

static void require_denied(uint32_t attempt, uint32_t address) {
    order(READER, attempt, address, 0);
    require(done(READER, "a call with the share faults") == BULKHEAD_DENIED, "the kernel writes");
    require_seen(PUT_VALUE, "a call writes for the reader");
}

static void calls_are_denied(void) {
    const uint32_t start = (uint32_t)share_start, value = (uint32_t)&shared_value;
    uint32_t message[4] = {1, 2, 3, 4};
    require(bulkhead_queue_send(QUEUE_SHORT, message, BULKHEAD_NO_WAIT) == BULKHEAD_OK, "send");
    require(bulkhead_queue_send(QUEUE_WORDS, message, BULKHEAD_NO_WAIT) == BULKHEAD_OK, "send");
    for (uint32_t attempt = RECEIVE_SHORT; attempt <= READ_FAULT; attempt++) {
        require_denied(attempt, value);
        require_denied(attempt, start);
        require_denied(attempt, start + LAST_WORD);
        require_denied(attempt, start - 4); // the range begins before the share
    }
    require(bulkhead_queue_receive(QUEUE_SHORT, message, BULKHEAD_NO_WAIT) == BULKHEAD_OK &&
                bulkhead_queue_receive(QUEUE_WORDS, message, BULKHEAD_NO_WAIT) == BULKHEAD_OK,
            "a denied call takes the message");
    order(READER, SEND, value, 0);
    require(done(READER, "send") == BULKHEAD_OK, "the reader cannot send what it reads");
    require(bulkhead_queue_receive(QUEUE_BACK, message, BULKHEAD_NO_WAIT) == BULKHEAD_OK &&
                message[0] == PUT_VALUE,
            "another message");
}

// --- Writes of the kernel ------------------------------------------------------------------------

// While both readers read the share, ticks make the kernel write to it: they give a semaphore whose
// count is there, and one tick ends a wait of the writer, whose stack is there. The writer is done
// when the readers let the judge run.
static void ticks_write(void) {
    enum { TICKS = 4 };
    order(WRITER, COUNT_TICKED, 0, 0);
    order(WRITER, AWAIT_TICKS, 0, TICKS / 2);
    require(!share_orders[WRITER].is_done, "the writer does not wait");
    require(bulkhead_timer_start(TIMER_EVERY_TICK, 1, 1) == BULKHEAD_OK, "timer");
    order(OTHER_READER, SPIN, (uint32_t)&shared_value, TICKS);
    order(READER, SPIN, (uint32_t)&shared_value, TICKS);
    bulkhead_timer_stop(TIMER_EVERY_TICK);
    require(done(READER, "a tick ends the reading") == 0, "another value");
    require(done(OTHER_READER, "a tick ends the other's reading") == 0, "another value");
    require(done(WRITER, "the writer waits") == BULKHEAD_TIMED_OUT, "no result on the share");
    require_seen(PUT_VALUE, "ticks");
    order(WRITER, COUNT_TICKED, 0, 0);
    require(done(WRITER, "count") >= TICKS, "a tick is not counted in the share");
    require_fault(WRITE_WORD, (uint32_t)&shared_value);
}

// A call of the reader wakes the writer, and the kernel writes the flags that the writer waited for
// to the writer's stack in the share.
static void calls_write(void) {
    order(WRITER, AWAIT_FLAGS, 0, 0);
    require(!share_orders[WRITER].is_done, "the writer does not wait");
    order(READER, ANNOUNCE, (uint32_t)&shared_value, 0x55);
    require(done(READER, "its own call ends the reading") == PUT_VALUE, "another value");
    require(done(WRITER, "the writer waits") == 0x55, "no flags on the share");
    require_seen(PUT_VALUE, "calls");
    require_fault(WRITE_WORD, (uint32_t)&shared_value);
}

// Restarts the writer while the readers read the share: they must then see its initial value.
static void restarts(void) {
    require(bulkhead_semaphore_give(SEMAPHORE_WRITER_END) == BULKHEAD_OK, "end");
    require_seen(FIRST_VALUE, "the writer's restart");
    order(READER, READ_FAULT, (uint32_t)&shared_value, 0);
    require(done(READER, "report") == BULKHEAD_DENIED, "the report overwrites the share");
    put(PUT_VALUE);
    require_seen(PUT_VALUE, "after the restart");
}

void judge_main_entry(void);
void judge_main_entry(void) {
    require_seen(FIRST_VALUE, "the reader cannot read");
    faults_alone();
    for (uint32_t round = 0; round < 3; round++) {
        restarts();
        calls_are_denied();
        ticks_write();
        calls_write();
    }
    say("share: the reader reads, and only the writer writes");
    succeed();
}
