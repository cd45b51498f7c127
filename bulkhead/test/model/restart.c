// SPDX-License-Identifier: MIT
//
// Model of supervisors that terminate and restart processes: at any time while the process runs,
// while its fault is handled, and while it is being terminated; also two supervisors at once. When
// a call of a supervisor returns, the termination or restart is complete. No thread keeps waiting
// for a terminated process, and a mutex that such a process held passes to the next waiter.
#include "world.h"

static void end(uint32_t process) {
    world_require(bulkhead_process_end(process) == BULKHEAD_OK, "an end failed");
}

static void restart(uint32_t process) {
    world_require(bulkhead_process_restart(process) == BULKHEAD_OK, "a restart failed");
}

static void require_runs(uint32_t process) {
    world_require(bulkhead_process_is_ended(process) == BULKHEAD_REFUSED || world_has_faulted(),
                  "a restarted process has ended");
}

static void client_restarts_server(void) {
    restart(WORLD_PROCESS);
    require_runs(WORLD_PROCESS);
}

static void client_ends_and_restarts_server(void) {
    end(WORLD_PROCESS);
    world_require(bulkhead_process_is_ended(WORLD_PROCESS) == BULKHEAD_OK, "an end is incomplete");
    restart(WORLD_PROCESS);
    require_runs(WORLD_PROCESS);
}

// The client terminates the server while it holds a mutex. At any time during the call, it may
// inherit a priority from a thread that waits for the mutex.
static void client_ends_server_under_lock(void) {
    (void)bulkhead_mutex_lock(WORLD_SHARED_MUTEX, BULKHEAD_FOREVER);
    end(WORLD_PROCESS);
    world_require(bulkhead_process_is_ended(WORLD_PROCESS) == BULKHEAD_OK, "an end is incomplete");
    restart(WORLD_PROCESS);
    require_runs(WORLD_PROCESS);
    (void)bulkhead_mutex_unlock(WORLD_SHARED_MUTEX);
}

static void locks(void) {
    (void)bulkhead_mutex_lock(WORLD_SHARED_MUTEX, BULKHEAD_FOREVER);
    (void)bulkhead_mutex_unlock(WORLD_SHARED_MUTEX);
}

static void locks_both(void) {
    (void)bulkhead_mutex_lock(WORLD_OTHER_SHARED_MUTEX, BULKHEAD_FOREVER);
    locks();
    (void)bulkhead_mutex_unlock(WORLD_OTHER_SHARED_MUTEX);
}

static void locks_other(void) {
    (void)bulkhead_mutex_lock(WORLD_OTHER_SHARED_MUTEX, BULKHEAD_FOREVER);
    (void)bulkhead_mutex_unlock(WORLD_OTHER_SHARED_MUTEX);
}

static void calls_first(void) {
    uint32_t words[4] = {0};
    (void)bulkhead_gate_call(WORLD_FIRST_GATE, words, BULKHEAD_FOREVER);
}

static void serves_under_lock(void) {
    uint32_t words[4] = {0}, caller;
    for (;;) {
        (void)bulkhead_gate_receive(WORLD_FIRST_GATE, words, &caller, BULKHEAD_FOREVER);
        locks();
    }
}

static void client_only_restarts_server(void) {
    restart(WORLD_PROCESS);
}

static void first_ends_server(void) {
    end(WORLD_PROCESS);
}

// Requires that a process that has faulted is reported as not running, even while its termination
// is delayed.
static void first_asks_for_server(void) {
    const enum bulkhead_result result = bulkhead_process_is_ended(WORLD_PROCESS);
    world_require((result == BULKHEAD_REFUSED) == !world_has_faulted(), "a fault is not seen");
}

static void client_restarts_first(void) {
    restart(WORLD_FIRST_PROCESS);
    const bool is_held =
        bulkhead_mutex_lock(WORLD_SHARED_MUTEX, BULKHEAD_FOREVER) != BULKHEAD_TIMED_OUT;
    world_require(is_held && bulkhead_mutex_unlock(WORLD_SHARED_MUTEX) == BULKHEAD_OK,
                  "a lock of a process that ended is lost");
}

static void calls(void) {
    uint32_t words[4] = {0};
    const enum bulkhead_result result = bulkhead_gate_call(WORLD_GATE, words, BULKHEAD_FOREVER);
    world_require(result == BULKHEAD_OK || result == BULKHEAD_PEER_LOST, "a call failed");
}

static void calls_under_lock(void) {
    (void)bulkhead_mutex_lock(WORLD_SHARED_MUTEX, BULKHEAD_FOREVER);
    calls();
    (void)bulkhead_mutex_unlock(WORLD_SHARED_MUTEX);
}

static void serves(void) {
    uint32_t words[4] = {0}, caller;
    for (;;) {
        (void)bulkhead_gate_receive(WORLD_GATE, words, &caller, BULKHEAD_FOREVER);
    }
}

static const char *clients_end(bool rests) {
    const bool end = world_has_ended(1) && world_has_ended(2) && world_has_ended(WORLD_CLIENT);
    return rests && !end ? "a client waits for ever" : NULL;
}

static const char *client_ends(bool rests) {
    return rests && !world_has_ended(WORLD_CLIENT) ? "a client waits for ever" : NULL;
}

static const char *server_runs(bool rests) {
    if (rests && !world_has_faulted() && !world_server_rests()) {
        return "a restarted server does not serve";
    }
    return clients_end(rests);
}

const struct scenario restart_scenarios[] = {
    {.name = "restart: a server below, while two call it",
     .programs = {NULL, calls, calls, client_restarts_server, serves},
     .priorities = {0, 5, 6, 3, 7},
     .is_supervised = true,
     .wrong = server_runs},
    {.name = "restart: a server above, in pieces",
     .programs = {NULL, calls, NULL, client_restarts_server, serves},
     .priorities = {0, 5, 0, 6, 2},
     .is_supervised = true,
     .in_pieces = true,
     .wrong = server_runs},
    {.name = "restart: a server that also faults",
     .programs = {NULL, calls, calls, client_ends_and_restarts_server, serves},
     .priorities = {0, 5, 6, 3, 7},
     .faults = 1,
     .is_supervised = true,
     .in_pieces = true,
     .wrong = clients_end},
    {.name = "restart: two supervisors of one server",
     .programs = {NULL, first_ends_server, calls, client_only_restarts_server, serves},
     .priorities = {0, 4, 6, 5, 7},
     .is_supervised = true,
     .in_pieces = true,
     .wrong = clients_end},
    {.name = "restart: a process of two threads under a lock",
     .programs = {NULL, calls_under_lock, calls_under_lock, client_restarts_first, serves},
     .priorities = {0, 5, 6, 3, 7},
     .is_supervised = true,
     .in_pieces = true,
     .wrong = clients_end},
    {.name = "restart: a server whose end waits for higher threads",
     .programs = {NULL, first_asks_for_server, NULL, NULL, serves},
     .priorities = {0, 4, 0, 0, 7},
     .faults = 1,
     .is_supervised = true,
     .in_pieces = true,
     .wrong = clients_end},
    {.name = "restart: a server that faults above the fault of its leader",
     .programs = {serves_under_lock, NULL, world_point, calls_first, locks},
     .priorities = {4, 0, 5, 2, 1},
     .faults = 2,
     .is_supervised = true,
     .in_pieces = true,
     .wrong = client_ends},
    {.name = "restart: a supervisor under a chain of locks",
     .programs = {NULL, locks_other, locks_both, client_ends_server_under_lock, serves},
     .priorities = {0, 2, 4, 6, 7},
     .is_supervised = true,
     .in_pieces = true,
     .wrong = clients_end},
    {.name = "restart: a supervisor under a lock, of a server above it",
     .programs = {NULL, NULL, locks, client_ends_server_under_lock, serves},
     .priorities = {0, 0, 2, 6, 4},
     .faults = 1,
     .is_supervised = true,
     .in_pieces = true,
     .wrong = clients_end},
    {0},
};
