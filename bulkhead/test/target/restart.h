// SPDX-License-Identifier: MIT
//
// State that the processes of restart.c share. It outlasts all of them but the warden.
#ifndef RESTART_H
#define RESTART_H

#include <stdbool.h>
#include <stdint.h>

// The orders for each process. An order stays until another one comes.
enum faulty_order { FAULTY_RESTS, FAULTY_CRASHES, FAULTY_CRASHES_ONCE };
enum hanger_order {
    HANGER_LIVES,
    HANGER_SPINS, // the first thread; the other one goes on to say that it is alive
    HANGER_SPINS_ABOVE,
    HANGER_SPINS_WITH_LOCK,
    HANGER_WAITS, // for ever
    HANGER_ENDS,  // the first thread exits
    HANGER_WAYS,
};
enum boss_order {
    BOSS_SUPERVISES,
    BOSS_FAULTS,
    BOSS_CALLS,
    BOSS_FORGETS,
    BOSS_IS_LATE, // comes too late to every event, until another order
    BOSS_FAULTS_AFTER_EVENTS,
    BOSS_ENDS_SLOW, // under a lock that others want
};

enum { LATE_TICKS = 50, CALLS = 6, EVENTS = 32, PERIOD_TICKS = 5, HANDLES = 32 };

struct seen {
    uint32_t kind, process, tick;
};

struct ledger {
    enum faulty_order faulty;
    enum hanger_order hanger;
    enum boss_order boss;
    bool client_calls, hostile_attacks;
    uint32_t slow_crashes; // that are still to come
    // Results.
    uint32_t events;
    struct seen seen[EVENTS];
    uint32_t faulty_starts, boss_starts, hanger_starts, hanger_stale, server_starts;
    uint32_t faulty_alone; // starts in which another of its threads was not launched yet
    uint32_t calls, lost, answered_tick, lost_tick; // of the client
    uint32_t locks_lost;
    uint32_t denied, not_denied;       // of the hostile process
    uint32_t wrong_calls, right_calls; // of the boss
    bool client_locks, boss_waits;
};

extern volatile struct ledger ledger;

#endif
