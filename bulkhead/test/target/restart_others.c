// SPDX-License-Identifier: MIT
//
// The other processes of restart.c: one that crashes, a server that crashes during a call, its
// client, and a hostile process that makes calls without the right.
#include "restart.h"
#include <bulkhead/bulkhead.h>
#include <handles.h>

void faulty_main_entry(void);
void faulty_other_entry(void);
void server_main_entry(void);
void client_main_entry(void);
void hostile_main_entry(void);

static void fault(void) {
    *(volatile uint32_t *)0xFFFFFFF0u = 0;
}

// Counts the starts at which the other thread is not launched yet: such a thread cannot be
// suspended.
void faulty_main_entry(void) {
    ledger.faulty_starts++;
    ledger.faulty_alone += bulkhead_suspend(THREAD_FAULTY_OTHER) != BULKHEAD_OK;
    ledger.faulty_alone += bulkhead_resume(THREAD_FAULTY_OTHER) != BULKHEAD_OK;
    for (;;) {
        const enum faulty_order order = ledger.faulty;
        if (order == FAULTY_CRASHES_ONCE) {
            ledger.faulty = FAULTY_RESTS;
        }
        if (order != FAULTY_RESTS) {
            fault();
        }
        bulkhead_delay(1);
    }
}

void faulty_other_entry(void) {
    bulkhead_delay(BULKHEAD_FOREVER);
}

void server_main_entry(void) {
    uint32_t words[4] = {0}, caller;
    ledger.server_starts++;
    for (;;) {
        (void)bulkhead_gate_receive(GATE_SERVICE, words, &caller, BULKHEAD_FOREVER);
        if (words[0] != 0) {
            fault();
        }
    }
}

// Calls a server that crashes during the call, and repeats the call until the server answers.
static void call(void) {
    uint32_t words[4] = {1};
    (void)bulkhead_gate_call(GATE_SERVICE, words, BULKHEAD_FOREVER);
    const uint32_t first_tick = bulkhead_ticks();
    uint32_t last_tick = first_tick;
    enum bulkhead_result result = BULKHEAD_PEER_LOST;
    while (result == BULKHEAD_PEER_LOST) {
        last_tick = bulkhead_ticks();
        ledger.lost++;
        bulkhead_delay(1);
        words[0] = 0;
        result = bulkhead_gate_call(GATE_SERVICE, words, BULKHEAD_FOREVER);
    }
    ledger.lost_ticks += last_tick - first_tick + 1;
    ledger.calls++;
}

// Waits for the mutex that the boss holds, while it holds the mutex that the warden waits for.
static void lock_both(void) {
    (void)bulkhead_mutex_lock(MUTEX_OUTER, BULKHEAD_FOREVER);
    (void)bulkhead_mutex_lock(MUTEX_INNER, BULKHEAD_FOREVER);
    (void)bulkhead_mutex_unlock(MUTEX_INNER);
    (void)bulkhead_mutex_unlock(MUTEX_OUTER);
}

void client_main_entry(void) {
    for (;;) {
        if (ledger.client_locks) {
            ledger.client_locks = false;
            lock_both();
        }
        if (ledger.client_calls) {
            ledger.client_calls = false;
            for (int i = 0; i < CALLS; i++) {
                call();
                bulkhead_delay(2);
            }
        }
        const enum bulkhead_result result = bulkhead_mutex_lock(MUTEX_LOCK, BULKHEAD_FOREVER);
        ledger.locks_lost += result == BULKHEAD_PEER_LOST;
        (void)bulkhead_mutex_unlock(MUTEX_LOCK);
        bulkhead_delay(1);
    }
}

static void attack(void) {
    for (uint32_t handle = 1; handle < HANDLES; handle++) {
        for (uint32_t method = 0; method < BULKHEAD_METHODS; method++) {
            const bool is_denied = bulkhead_call_1(handle, method, 0) == BULKHEAD_DENIED;
            ledger.denied += is_denied;
            ledger.not_denied += !is_denied;
        }
    }
}

void hostile_main_entry(void) {
    for (;;) {
        if (ledger.hostile_attacks) {
            ledger.hostile_attacks = false;
            attack();
        }
        bulkhead_delay(1);
    }
}
