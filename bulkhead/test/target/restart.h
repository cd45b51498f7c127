// SPDX-License-Identifier: MIT
//
// State that the processes of restart.c share. It is in the memory of the warden, which never
// restarts.
#ifndef RESTART_H
#define RESTART_H

#include <stdbool.h>
#include <stdint.h>

// The orders for each process. A process obeys an order until it gets another order.
enum faulty_order { FAULTY_RESTS, FAULTY_CRASHES, FAULTY_CRASHES_ONCE };
enum hanger_order {
    HANGER_LIVES,
    // The first thread stops reporting; the second thread still reports that it is alive.
    HANGER_SPINS,
    HANGER_SPINS_ABOVE,
    HANGER_SPINS_WITH_LOCK,
    HANGER_WAITS, // a thread waits for ever
    HANGER_ENDS,  // the first thread exits
    HANGER_WAYS,
};
enum boss_order {
    BOSS_SUPERVISES,
    BOSS_FAULTS,
    BOSS_CALLS,
    BOSS_FORGETS,
    BOSS_IS_LATE, // handles every event LATE_TICKS too late
    BOSS_FAULTS_AFTER_EVENTS,
    BOSS_ENDS_SLOW, // restarts `slow` while it holds a mutex that other threads wait for
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
    uint32_t slow_crashes; // number of crashes that are still to come
    // Results.
    uint32_t events;
    struct seen seen[EVENTS];
    uint32_t faulty_starts, boss_starts, hanger_starts, hanger_stale, server_starts;
    // Number of starts at which another thread of `faulty` was not launched yet.
    uint32_t faulty_alone;
    uint32_t calls, lost, lost_ticks; // the client's calls, those that failed, and their ticks
    uint32_t locks_lost;
    uint32_t denied, not_denied; // results of the hostile process's calls
    // Number of the supervisor's calls with a wrong and with the right result.
    uint32_t wrong_calls, right_calls;
    bool client_locks, boss_waits;
};

extern volatile struct ledger ledger;

#endif
