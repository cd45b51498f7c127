// SPDX-License-Identifier: MIT
//
// A supervisor: restarts processes that fault, and processes that do not say that they are alive,
// by the policies of the declaration. It is ordinary code of the supervisor's process
// (user/supervise.c), and needs no more than the rights that those policies give.
//
//   static struct bulkhead_supervised states[POLICIES_BOSS];
//   static struct bulkhead_supervisor boss = {.policies = bulkhead_policies_boss,
//       .states = states, .count = POLICIES_BOSS, .period_ticks = 50};
//   for (;;) {
//       const struct bulkhead_event event = bulkhead_supervise(&boss);
//       if (event.kind == BULKHEAD_ALL_ALIVE) { ... feed the watchdog ... }
//   }
//
// Give the supervising thread a higher priority than the processes that it restarts: otherwise they
// may keep it from running, which only a watchdog finds. The thread may wait elsewhere for less
// than a period: a notification that came meanwhile is not lost.
#ifndef BULKHEAD_SUPERVISE_H
#define BULKHEAD_SUPERVISE_H

#include <bulkhead/bulkhead.h>
#include <stdbool.h>

// The policy of a process: what its supervisor does when it fails. The declaration gives each
// supervising thread a table of them in handles.h: bulkhead_policies_THREAD, with POLICIES_THREAD
// rows.
struct bulkhead_policy {
    uint32_t process; // handle of the process
    // escalation: the handle of the record, to reset the system; 0: the process stays ended
    uint32_t record;
    uint32_t limit;        // maximum number of restarts in succession
    uint32_t stable_ticks; // ticks without a failure after which restarts are counted from 0 again
    uint32_t delay_ticks;  // ticks before the first restart; twice as long before each next restart
    // handle of event flags, and the flags that the process sets in each period to report that it
    // is alive; or 0
    uint32_t flags, alive;
};

enum bulkhead_supervised_state {
    BULKHEAD_RUNS,
    BULKHEAD_AWAITS_RESTART,
    BULKHEAD_GIVES_UP, // the process reached its limit, and the caller has not been told yet
    BULKHEAD_GIVEN_UP, // the process stays ended, or the next call resets the system
};

// The state that the supervisor keeps for a process. Initialise it with zeroes.
struct bulkhead_supervised {
    uint32_t state;    // a value of enum bulkhead_supervised_state
    uint32_t restarts; // restarts in succession
    uint32_t since;    // the tick of the last failure or restart
    uint32_t due;      // the tick of the restart
    // the process ran for the whole period, so it had the time to report that it is alive
    bool is_heard;
};

struct bulkhead_supervisor {
    const struct bulkhead_policy *policies;
    struct bulkhead_supervised *states; // one element for each policy
    uint32_t count;
    uint32_t period_ticks; // the period in which each process has to report that it is alive
    // Initialise these members with zeroes.
    uint32_t period_end; // tick at which the period ends
    uint32_t asked;      // number of processes whose flags the end of the period has tested so far
    bool is_started, is_silent;
};

enum bulkhead_event_kind {
    // the process ended by a fault; it is restarted after the delay, or BULKHEAD_GAVE_UP follows
    BULKHEAD_FAULTED,
    BULKHEAD_SILENT, // the process did not report in a whole period that it is alive, and was ended
    BULKHEAD_RESTARTED, // the process runs again
    // the process reached its limit: it stays ended, or the next call resets the system
    BULKHEAD_GAVE_UP,
    BULKHEAD_ALL_ALIVE, // a period is over, and all processes have reported: clear the watchdog
};

struct bulkhead_event {
    enum bulkhead_event_kind kind;
    uint32_t process; // index of the policy; 0 for BULKHEAD_ALL_ALIVE
};

// Waits for the next event, and does what the policies say. After a restart of the supervisor it
// finds the processes that ended meanwhile, and continues to count their restarts.
struct bulkhead_event bulkhead_supervise(struct bulkhead_supervisor *supervisor);

#endif
