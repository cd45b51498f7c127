// SPDX-License-Identifier: MIT
//
// Paths for positions.c: calls into another process, and terminations of the client's or the
// server's process. `client` makes ordinary calls, where the server has to be busy; `caller` makes
// calls during which its own process is terminated.
#include "answerer.h"
#include "handles.h"
#include "paths.h"

enum { ENOUGH_TICKS = 1000 };

static enum bulkhead_result ask(uint32_t what, uint32_t words[4], uint32_t ticks) {
    words[0] = what;
    words[1] = number;
    return bulkhead_gate_call(GATE_ANSWERS, words, ticks);
}

static bool is_answered(uint32_t what, uint32_t ticks) {
    uint32_t words[4] = {0};
    return is_ok(ask(what, words, ticks)) && words[0] == bulkhead_page.self &&
           words[1] == answer_to(number);
}

static bool call(void) {
    return is_answered(ANSWER, BULKHEAD_FOREVER);
}

static bool call_with_timeout(void) {
    return is_answered(ANSWER, ENOUGH_TICKS);
}

static bool call_in_vain(void) {
    uint32_t words[4] = {0};
    return is_expected(ask(ANSWER, words, wait_ticks));
}

static bool call_nobody(void) {
    uint32_t words[4] = {0};
    return ask(ANSWER, words, BULKHEAD_NO_WAIT) == BULKHEAD_TIMED_OUT;
}

static bool call_late(void) {
    uint32_t words[4] = {0};
    return is_expected(ask(ANSWER_WHEN_TOLD, words, wait_ticks));
}

static bool call_late_in_time(void) {
    uint32_t words[4] = {0};
    return is_in_time(ask(ANSWER_WHEN_TOLD, words, 1));
}

static bool call_and_wait(void) {
    return is_answered(ANSWER_WHEN_TOLD, BULKHEAD_FOREVER);
}

static bool call_or_lose(void) {
    uint32_t words[4] = {0};
    const enum bulkhead_result result = ask(ANSWER, words, BULKHEAD_FOREVER);
    return is_ok(result) || result == BULKHEAD_PEER_LOST;
}

// --- Leases --------------------------------------------------------------------------------------

enum { MINE = 0x11 };

static uint8_t lent[LENT_BYTES];

static bool is_lent(uint8_t value) {
    uint32_t i = 0;
    while (i < LENT_BYTES && lent[i] == value) {
        i++;
    }
    return i == LENT_BYTES;
}

// Uses the lent memory after the call. Whatever the result of the call, only the caller may use
// this memory again.
static void use(void) {
    for (uint32_t i = 0; i < LENT_BYTES; i++) {
        lent[i] = MINE;
    }
}

static enum bulkhead_result ask_lending(uint32_t what, uint32_t ticks) {
    uint32_t words[4] = {what, number};
    return bulkhead_gate_call_lending(GATE_ANSWERS, words, lent, LENT_BYTES, BULKHEAD_LEND_WRITE,
                                      ticks);
}

static bool lend(void) {
    use();
    return is_ok(ask_lending(COPY, BULKHEAD_FOREVER)) && is_lent(COPIED);
}

static bool lend_late(void) {
    use();
    return is_expected(ask_lending(COPY_WHEN_TOLD, wait_ticks)) && is_lent(MINE);
}

static bool lend_late_in_time(void) {
    const bool is_right = is_in_time(ask_lending(COPY_WHEN_TOLD, 1));
    const bool is_whole = !was_in_time() || is_lent(COPIED);
    use();
    return is_right && is_whole;
}

static bool lend_or_lose(void) {
    const enum bulkhead_result result = ask_lending(COPY, BULKHEAD_FOREVER);
    return (is_ok(result) && is_lent(COPIED)) || result == BULKHEAD_PEER_LOST;
}

static bool is_mine_after_call(void) {
    return is_answered(ANSWER, BULKHEAD_FOREVER) && is_lent(MINE);
}

// --- Actions of the other side -------------------------------------------------------------------

static bool tell(void) {
    return is_ok(bulkhead_semaphore_give(SEMAPHORE_TOLD));
}

static bool tell_and_call(void) {
    return tell() && call();
}

static bool tell_and_keep(void) {
    return tell() && is_mine_after_call();
}

static bool hurry_server(void) {
    return is_answered(HURRY, BULKHEAD_FOREVER);
}

static bool calm_server(void) {
    return is_answered(CALM, BULKHEAD_FOREVER);
}

static bool restart_server(void) {
    return is_ok(bulkhead_notify(THREAD_SABOTEUR));
}

static bool restart_and_call(void) {
    return restart_server() && call();
}

static bool let_call(void) {
    return is_ok(bulkhead_notify(THREAD_CALLER));
}

static bool restart_caller(void) {
    return is_ok(bulkhead_notify(THREAD_MURDERER));
}

static bool lock_and_call(void) {
    return is_ok(bulkhead_mutex_lock(MUTEX_SHARED, BULKHEAD_FOREVER)) && call() &&
           is_ok(bulkhead_mutex_unlock(MUTEX_SHARED));
}

// Lets the server try to receive a call without waiting, while no thread calls and no timeout runs.
static bool let_server_try(void) {
    return is_answered(TRY, BULKHEAD_FOREVER) &&
           is_ok(bulkhead_semaphore_take(SEMAPHORE_TOLD, BULKHEAD_FOREVER));
}

static bool occupy_server(void) {
    return is_ok(bulkhead_notify(THREAD_CLIENT));
}

// Makes the server busy, and wakes the thread `caller`, which locks a mutex and then waits for the
// server with the mutex locked.
static bool let_lock(void) {
    return occupy_server() && let_call();
}

static bool lock_nothing(void) {
    return bulkhead_mutex_lock(MUTEX_SHARED, BULKHEAD_NO_WAIT) == BULKHEAD_TIMED_OUT;
}

static bool tell_and_lock(void) {
    return tell() && lock_and_call();
}

void client_main(void);
void client_main(void) {
    for (;;) {
        uint32_t words[4] = {0};
        bulkhead_notification_wait(BULKHEAD_FOREVER);
        ask(ANSWER_WHEN_TOLD, words, BULKHEAD_FOREVER);
    }
}

// clang-format off: a row a path
const struct path gate_paths[] = {
    {"a call", ENDED, .wait = call, .end = call},
    {"a call with a timeout", ENDED, .wait = call_with_timeout, .end = call_with_timeout},
    {"an answer", ENDED, .wait = call_and_wait, .end = tell},
    {"a busy server, in time", TIMED, .first = occupy_server, .wait = call_in_vain,
     .restore = tell_and_call},
    {"a busy server, without waiting", ENDED, .first = occupy_server, .wait = call_nobody,
     .restore = tell_and_call},
    {"an answer, in time", TIMED, .wait = call_late, .restore = tell_and_call},
    {"answering in time", RACED, .prepare = call_late_in_time, .wait = tell, .restore = call},
    {"a lease", ENDED, .wait = lend, .end = lend},
    {"a lease, in time", TIMED, .wait = lend_late, .restore = tell_and_keep},
    {"a copy to a lease, in time", RACED, .prepare = lend_late_in_time, .wait = tell,
     .restore = is_mine_after_call},
    {"a lease of a server that is ended", ENDED, .wait = lend_or_lose, .end = restart_server,
     .restore = call},
    {"a server that waits for a time", RACED, .prepare = hurry_server, .wait = call,
     .restore = calm_server},
    {"a server that does not wait", ENDED, .wait = let_server_try},
    {"a locked mutex, without waiting", ENDED, .first = let_lock, .wait = lock_nothing,
     .restore = tell_and_lock},
    {"a server that is ended", ENDED, .wait = call_or_lose, .end = restart_server, .restore = call},
    {"a server that begins", ENDED, .wait = restart_and_call, .end = call},
    {"a caller that is ended", ENDED, .wait = let_call, .end = restart_caller,
     .restore = lock_and_call},
    {0},
};
// clang-format on
