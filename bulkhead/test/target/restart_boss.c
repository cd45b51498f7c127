// SPDX-License-Identifier: MIT
//
// The supervisor of restart.c (the boss): uses the library's supervisor, and logs each event. On
// order it faults, or makes the calls of a supervisor in every state of a process.
#include "restart.h"
#include <bulkhead/supervise.h>
#include <handles.h>

static struct bulkhead_supervised states[POLICIES_BOSS_MAIN];
static struct bulkhead_supervisor supervisor = {.policies = bulkhead_policies_boss_main,
                                                .states = states,
                                                .count = POLICIES_BOSS_MAIN,
                                                .period_ticks = PERIOD_TICKS};

void boss_main_entry(void);
void boss_other_entry(void);

static void expect(bool condition) {
    ledger.right_calls += condition;
    ledger.wrong_calls += !condition;
}

static void call(uint32_t process) {
    expect(bulkhead_process_is_ended(process) == BULKHEAD_REFUSED);
    for (int i = 0; i < 3; i++) {
        expect(bulkhead_process_end(process) == BULKHEAD_OK);
        expect(bulkhead_process_is_ended(process) == BULKHEAD_OK);
    }
    for (int i = 0; i < 3; i++) {
        expect(bulkhead_process_restart(process) == BULKHEAD_OK);
        expect(bulkhead_process_is_ended(process) == BULKHEAD_REFUSED);
    }
}

// Makes a supervisor's calls for three processes, and restarts the hanger after runs of different
// lengths.
static void call_each(void) {
    call(PROCESS_FAULTY);
    call(PROCESS_HANGER);
    call(PROCESS_SERVER);
    for (uint32_t i = 0; i < 40; i++) {
        expect(bulkhead_process_restart(PROCESS_HANGER) == BULKHEAD_OK);
        (void)bulkhead_delay(i % 3);
    }
}

static void fault(void) {
    *(volatile uint32_t *)0xFFFFFFF0u = 0;
}

void boss_other_entry(void) {
    fault();
}

static void forget(void) {
    uint32_t note = 0;
    (void)bulkhead_process_note(PROCESS_FAULTY, &note, UINT32_MAX);
    states[0] = (struct bulkhead_supervised){0};
}

// Terminates `slow`, which takes some ticks. Meanwhile the boss inherits priorities from other
// threads.
static void end_slow(void) {
    (void)bulkhead_mutex_lock(MUTEX_INNER, BULKHEAD_FOREVER);
    ledger.client_locks = true;
    bulkhead_delay(3); // until the client waits for the mutex
    ledger.boss_waits = true;
    expect(bulkhead_process_restart(PROCESS_SLOW) == BULKHEAD_OK);
    expect(bulkhead_process_is_ended(PROCESS_SLOW) == BULKHEAD_REFUSED);
    (void)bulkhead_mutex_unlock(MUTEX_INNER);
}

static void obey(void) {
    const enum boss_order order = ledger.boss;
    if (order != BOSS_IS_LATE && order != BOSS_FAULTS_AFTER_EVENTS) {
        ledger.boss = BOSS_SUPERVISES;
    }
    if (order == BOSS_FAULTS) {
        fault();
    } else if (order == BOSS_CALLS) {
        call_each();
    } else if (order == BOSS_FORGETS) {
        forget();
    } else if (order == BOSS_IS_LATE) {
        bulkhead_delay(LATE_TICKS);
    } else if (order == BOSS_ENDS_SLOW) {
        end_slow();
    }
}

static void log_event(struct bulkhead_event event) {
    const uint32_t index = ledger.events;
    if (index < EVENTS) {
        ledger.seen[index] = (struct seen){event.kind, event.process, bulkhead_ticks()};
    }
    ledger.events = index + 1;
}

void boss_main_entry(void) {
    ledger.boss_starts++;
    for (;;) {
        obey();
        const struct bulkhead_event event = bulkhead_supervise(&supervisor);
        if (event.kind != BULKHEAD_ALL_ALIVE) {
            log_event(event);
            if (ledger.boss == BOSS_FAULTS_AFTER_EVENTS) {
                fault();
            }
        }
    }
}
