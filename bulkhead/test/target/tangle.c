// SPDX-License-Identifier: MIT
//
// Tests two processes whose threads make random calls (tangle_actions.c): they nest locks, make
// calls while they hold locks, call each other, also in a circle, write random words to local
// objects, exit and fault at any of these points. Three threads of another process must still work:
// the driver of a device is never late, the thread of the highest priority that shares a mutex with
// them runs at each tick, and the warden terminates a process that makes no progress.
//
// If the kernel is built with core/hooks/checks, its whole state is also tested at every entry.
#include "tangle.h"
#include "handles.h"
#include "late_driver.h"
#include "report.h"
#include <bulkhead/bulkhead.h>

enum { WARDEN_TICKS = 4 };

volatile struct ledger ledger = {.random = TANGLE_SEED};

// --- The highest user ----------------------------------------------------------------------------

static void use_shared(uint32_t round) {
    enum bulkhead_result result = BULKHEAD_OK;
    if (round % 2 == 0) {
        result = bulkhead_mutex_lock(MUTEX_A, 1);
    }
    require(result != BULKHEAD_REFUSED && result != BULKHEAD_DENIED, "a lock was refused");
    if (round % 2 == 0 && result != BULKHEAD_TIMED_OUT) {
        require(bulkhead_mutex_unlock(MUTEX_A) == BULKHEAD_OK,
                "an unlock was refused to the holder");
    }
    if (round % 3 == 0) {
        uint32_t words[4] = {0};
        result = bulkhead_gate_call(GATE_ONE, words, 1);
        require(result != BULKHEAD_REFUSED && result != BULKHEAD_DENIED, "a call was refused");
    }
}

void guard_main(void);
void guard_main(void) {
    for (;;) {
        const uint32_t began = bulkhead_ticks();
        bulkhead_delay(1);
        require(bulkhead_ticks() - began == 1, "the highest thread overslept");
        use_shared(ledger.guard_runs++);
    }
}

// --- The warden ----------------------------------------------------------------------------------

static void show(void) {
    say("tangle: actions ");
    say_number(ledger.actions);
    say(", depth ");
    say_number(ledger.deepest);
    say(", faults ");
    say_number(ledger.faults);
    say(", ended by the warden ");
    say_number(ledger.stuck);
    say(", driver late by ");
    say_number(late_driver_latest_cycles);
    say(" of ");
    say_number(late_driver_interrupts);
}

// Terminates a process that made no progress since `before`: its threads wait for each other in a
// circle, or all of them are suspended.
static void end_if_stuck(uint32_t before) {
    static const uint32_t fuses[TANGLE_PROCESSES] = {THREAD_FUSE_ONE, THREAD_FUSE_TWO};
    if (ledger.actions == before) {
        bulkhead_notify(fuses[ledger.stuck++ % TANGLE_PROCESSES]);
    }
}

void warden_main(void);
void warden_main(void) {
    while (ledger.actions < TANGLE_ACTIONS) {
        const uint32_t actions = ledger.actions, runs = ledger.guard_runs;
        bulkhead_delay(WARDEN_TICKS);
        require(ledger.guard_runs != runs, "the highest thread does not run");
        end_if_stuck(actions);
    }
    require(late_driver_latest_cycles <= TANGLE_LATEST_CYCLES, "the driver was late");
    show();
    succeed();
}
