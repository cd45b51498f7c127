// SPDX-License-Identifier: MIT
//
// Copies of a lease by a server whose budget runs out during the copy, with and without a priority
// that the server inherits. While the server is stopped, the call of its client times out, or the
// client is terminated; the rest of the copy must not be written then.
//
// The judge has the lowest priority, so it runs while the server has no budget.
#include "handles.h"
#include "report.h"
#include <bulkhead/bulkhead.h>
#include <stdbool.h>

enum { BYTES = 1535, ROUNDS = 6, COPIES = 40, FIRST_BYTE = 0x5A, MINE = 0x77, PERIOD_TICKS = 4 };

extern uint8_t client_buffer[BYTES + 1]; // FIRST_BYTE in the image: lease_client.c

// The distance of this array to the next word differs from that of the lent memory, so that a copy
// takes longest.
static _Alignas(4) volatile uint8_t source[BYTES];
static uint8_t *const lent = client_buffer + 1;

static volatile bool inherits, is_endless, done;
static volatile uint32_t timeout_ticks, locks;
static volatile enum bulkhead_result called, copied;

void client_fault_entry(void);
void high_main_entry(void);
void server_main_entry(void);
void client_main_entry(void);
void judge_main_entry(void);

static bool is_filled(const volatile uint8_t *memory, uint8_t value) {
    uint32_t i = 0;
    while (i < BYTES && memory[i] == value) {
        i++;
    }
    return i == BYTES;
}

static void fill(volatile uint8_t *memory, uint8_t value) {
    for (uint32_t i = 0; i < BYTES; i++) {
        memory[i] = value;
    }
}

// --- The threads ---------------------------------------------------------------------------------

void client_fault_entry(void) {
    (void)bulkhead_notification_wait(BULKHEAD_FOREVER);
    *(volatile uint32_t *)0 = 0;
}

void high_main_entry(void) {
    for (;;) {
        (void)bulkhead_notification_wait(BULKHEAD_FOREVER);
        require(bulkhead_mutex_lock(MUTEX_GUARD, BULKHEAD_FOREVER) == BULKHEAD_OK, "lock");
        locks++;
        require(bulkhead_mutex_unlock(MUTEX_GUARD) == BULKHEAD_OK, "unlock");
    }
}

static void copy_all(void) {
    for (uint32_t i = 1; i <= COPIES || is_endless; i++) {
        fill(source, (uint8_t)i);
        copied = bulkhead_lease_write(GATE_VAULT, 0, (const void *)source, BYTES);
        if (copied != BULKHEAD_OK) {
            return;
        }
    }
}

// While the server holds the mutex, it has the priority of high_main.
static void copy_and_inherit(void) {
    const uint32_t before = locks;
    require(bulkhead_mutex_lock(MUTEX_GUARD, BULKHEAD_FOREVER) == BULKHEAD_OK, "lock");
    bulkhead_notify(THREAD_HIGH_MAIN);
    copy_all();
    require(locks == before, "the mutex was passed on during a copy");
    require(bulkhead_mutex_unlock(MUTEX_GUARD) == BULKHEAD_OK, "unlock");
    require(locks == before + 1, "the mutex is not passed on");
}

void server_main_entry(void) {
    uint32_t words[4] = {0}, caller;
    for (;;) {
        (void)bulkhead_gate_receive(GATE_VAULT, words, &caller, BULKHEAD_FOREVER);
        if (words[3] == 0) {
            uint8_t byte = 0;
            require(bulkhead_lease_write(GATE_VAULT, 0, &byte, 1) == BULKHEAD_DENIED,
                    "a lease is left after its call");
        } else if (inherits) {
            copy_and_inherit();
        } else {
            copy_all();
        }
    }
}

void client_main_entry(void) {
    for (;;) {
        uint32_t words[4] = {0};
        (void)bulkhead_notification_wait(BULKHEAD_FOREVER);
        called = bulkhead_gate_call_lending(GATE_VAULT, words, lent, BYTES, BULKHEAD_LEND_WRITE,
                                            timeout_ticks);
        if (called == BULKHEAD_TIMED_OUT) {
            fill(lent, MINE);
            bulkhead_delay(2 * PERIOD_TICKS);
            require(is_filled(lent, MINE), "written after the call timed out");
        } else {
            require(is_filled(lent, COPIES), "not the last copy");
        }
        uint32_t none[4] = {0};
        require(bulkhead_gate_call(GATE_VAULT, none, BULKHEAD_FOREVER) == BULKHEAD_OK, "a call");
        done = true;
    }
}

// --- The cases -----------------------------------------------------------------------------------

static bool is_partly_copied(void) {
    const volatile uint8_t *bytes = lent;
    return bytes[0] != bytes[BYTES - 1];
}

static void begin(uint32_t ticks, bool endless) {
    timeout_ticks = ticks;
    is_endless = endless;
    done = false;
    bulkhead_notify(THREAD_CLIENT_MAIN);
}

// Waits until the server has copied. Returns whether the server was stopped during a copy.
static bool wait_until_done(void) {
    bool was_stopped = false;
    while (!done) {
        was_stopped |= is_partly_copied();
    }
    return was_stopped;
}

static void test_whole(void) {
    begin(BULKHEAD_FOREVER, false);
    require(wait_until_done(), "no budget ran out during a copy");
    require(called == BULKHEAD_OK && copied == BULKHEAD_OK, "a copy over several periods");
}

static void test_timeout(uint32_t ticks) {
    begin(ticks, true);
    (void)wait_until_done();
    require(called == BULKHEAD_TIMED_OUT, "the timeout of a call");
    require(copied == BULKHEAD_PEER_LOST, "a copy after the timeout");
}

static void test_termination(void) {
    begin(BULKHEAD_FOREVER, true);
    while (!is_partly_copied()) {
    }
    bulkhead_notify(THREAD_CLIENT_FAULT);
    bulkhead_delay(2 * PERIOD_TICKS);
    require(copied == BULKHEAD_PEER_LOST, "a copy to a client that was terminated");
    require(is_filled(lent, FIRST_BYTE), "written after the restart");
}

void judge_main_entry(void) {
    for (uint32_t round = 0; round < ROUNDS; round++) {
        inherits = round % 2 != 0;
        test_whole();
        test_timeout(PERIOD_TICKS + round);
        test_termination();
    }
    require(locks == ROUNDS / 2 * 3, "the mutex");
    say("lease_budget: copies end with their call, also while the server has no budget");
    succeed();
}
