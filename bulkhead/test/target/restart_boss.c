// SPDX-License-Identifier: MIT
//
// The supervisor of restart.c: the library's, with a log. On order it faults, or makes its calls in
// every state of a process.
#include "restart.h"
#include <bulkhead/supervise.h>
#include <handles.h>

static struct bulkhead_supervised states[POLICIES_BOSS_MAIN];
static struct bulkhead_supervisor supervisor = {.policies = bulkhead_policies_boss_main,
                                                .states = states,
                                                .count = POLICIES_BOSS_MAIN,
                                                .period_ticks = PERIOD_TICKS};

void boss_main_entry(void);

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

// Lets the hanger run for other times before each restart.
static void call_each(void) {
    call(PROCESS_FAULTY);
    call(PROCESS_HANGER);
    call(PROCESS_SERVER);
    for (uint32_t i = 0; i < 40; i++) {
        expect(bulkhead_process_restart(PROCESS_HANGER) == BULKHEAD_OK);
        (void)bulkhead_delay(i % 3);
    }
}

static void obey(void) {
    const enum boss_order order = ledger.boss;
    ledger.boss = BOSS_SUPERVISES;
    if (order == BOSS_FAULTS) {
        *(volatile uint32_t *)0xFFFFFFF0u = 0;
    } else if (order == BOSS_CALLS) {
        call_each();
    } else if (order == BOSS_FORGETS) {
        states[0] = (struct bulkhead_supervised){0};
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
        }
    }
}
