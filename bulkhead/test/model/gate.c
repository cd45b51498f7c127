// SPDX-License-Identifier: MIT
//
// Model of calls into another process. Each call is answered once, with its own words. If the
// client or the server is terminated, the other one is woken. The server has the priority of the
// thread that it serves, and never blocks for ever.
#include "world.h"

static uint32_t answer_to(uint32_t word) {
    return ~word * 3;
}

static void call_within(uint32_t number, uint32_t timeout_ticks) {
    uint32_t words[4] = {number, number, 0, number};
    const uint32_t self = bulkhead_page.self;
    const enum bulkhead_result result = bulkhead_gate_call(WORLD_GATE, words, timeout_ticks);
    if (result == BULKHEAD_OK) {
        world_require(words[0] == self, "an answer is to another caller");
        world_require(words[1] == answer_to(number), "an answer is to another call");
        return;
    }
    world_require((result == BULKHEAD_TIMED_OUT && timeout_ticks != BULKHEAD_FOREVER) ||
                      (result == BULKHEAD_PEER_LOST && world_has_faulted()),
                  "a call failed");
}

static void first_calls(void) {
    call_within(1, BULKHEAD_FOREVER);
}

static void first_uses_timeouts(void) {
    call_within(1, 1);
    call_within(2, BULKHEAD_NO_WAIT);
}

static void second_calls(void) {
    call_within(3, BULKHEAD_FOREVER);
}

static void client_calls(void) {
    call_within(4, BULKHEAD_FOREVER);
}

static void client_calls_twice(void) {
    client_calls();
    call_within(5, BULKHEAD_FOREVER);
}

static void client_calls_in_time(void) {
    call_within(4, 2);
    call_within(5, BULKHEAD_FOREVER);
}

static _Noreturn void serve_within(uint32_t timeout_ticks) {
    uint32_t words[4] = {0};
    for (;;) {
        uint32_t caller;
        if (bulkhead_gate_receive(WORLD_GATE, words, &caller, timeout_ticks) == BULKHEAD_OK) {
            world_point();
            words[0] = caller;
            words[1] = answer_to(words[1]);
        }
    }
}

static void serve(void) {
    serve_within(BULKHEAD_FOREVER);
}

static void serve_with_timeout(void) {
    serve_within(1);
}

// --- Leases --------------------------------------------------------------------------------------
// The client lends memory that the kernel copies in two pieces. After the call, whatever its
// result, the client uses this memory itself.

enum { LENT_WORDS = 24, LAST_WORD = LENT_WORDS - 1, COPIED = 0xC0, MINE = 0x11 };

static uint32_t lent[LENT_WORDS];
static bool is_mine;

static void lend_within(uint32_t timeout_ticks) {
    uint32_t words[4] = {6, 6};
    is_mine = false;
    lent[0] = 0;
    lent[LAST_WORD] = 0;
    const enum bulkhead_result result = bulkhead_gate_call_lending(
        WORLD_GATE, words, lent, sizeof lent, BULKHEAD_LEND_WRITE, timeout_ticks);
    world_require(result != BULKHEAD_OK || (lent[0] == COPIED && lent[LAST_WORD] == COPIED),
                  "an answer comes before the whole copy");
    world_require(result == BULKHEAD_OK ||
                      (result == BULKHEAD_TIMED_OUT && timeout_ticks != BULKHEAD_FOREVER) ||
                      (result == BULKHEAD_PEER_LOST && world_has_faulted()),
                  "a call that lends failed");
    lent[0] = MINE;
    lent[LAST_WORD] = MINE;
    is_mine = true;
    world_point();
}

static void client_lends_in_time(void) {
    lend_within(2);
    call_within(4, BULKHEAD_FOREVER);
}

static void client_lends(void) {
    lend_within(BULKHEAD_FOREVER);
    call_within(4, BULKHEAD_FOREVER);
}

// Serves calls. The third word of a call is the lent address, or 0 if the call lends nothing; a
// copy must then be denied.
static void serve_leases(void) {
    static uint32_t own[LENT_WORDS];
    uint32_t words[4] = {0};
    own[0] = COPIED;
    own[LAST_WORD] = COPIED;
    for (;;) {
        uint32_t caller;
        if (bulkhead_gate_receive(WORLD_GATE, words, &caller, BULKHEAD_FOREVER) == BULKHEAD_OK) {
            const bool lends = words[2] != 0;
            world_point();
            const enum bulkhead_result result =
                bulkhead_lease_write(WORLD_GATE, 0, own, sizeof own);
            world_require(result == (lends ? BULKHEAD_OK : BULKHEAD_DENIED) ||
                              result == BULKHEAD_PEER_LOST,
                          "a copy to a lease");
            words[0] = caller;
            words[1] = answer_to(words[1]);
        }
    }
}

static const char *wrong(bool rests) {
    const char *server = world_server_wrong();
    if (server != NULL) {
        return server;
    }
    if (is_mine && (lent[0] != MINE || lent[LAST_WORD] != MINE)) {
        return "a lease is written after its end";
    }
    for (uint32_t i = 0; rests && i < WORLD_SERVER; i++) {
        if (!world_has_ended(i)) {
            return "a caller waits for ever";
        }
    }
    return rests && !world_server_rests() ? "the server is stuck" : NULL;
}

const struct scenario gate_scenarios[] = {
    {.name = "gate: two callers above the server",
     .programs = {first_calls, NULL, NULL, client_calls_twice, serve},
     .priorities = {3, 0, 0, 4, 5},
     .wrong = wrong},
    {.name = "gate: three callers about the server",
     .programs = {first_calls, second_calls, NULL, client_calls, serve},
     .priorities = {3, 4, 0, 6, 5},
     .wrong = wrong},
    {.name = "gate: equals",
     .programs = {first_calls, second_calls, NULL, client_calls, serve},
     .priorities = {5, 5, 0, 5, 5},
     .wrong = wrong},
    {.name = "gate: callers' timeouts",
     .programs = {first_uses_timeouts, NULL, NULL, client_calls_in_time, serve},
     .priorities = {3, 0, 0, 4, 5},
     .ticks = 3,
     .wrong = wrong},
    {.name = "gate: the server's timeouts",
     .programs = {first_uses_timeouts, NULL, NULL, client_calls_twice, serve_with_timeout},
     .priorities = {4, 0, 0, 3, 5},
     .ticks = 3,
     .wrong = wrong},
    {.name = "gate: the end of server or client",
     .programs = {first_calls, second_calls, NULL, client_calls, serve},
     .priorities = {3, 5, 0, 4, 6},
     .faults = 2,
     .wrong = wrong},
    {.name = "gate: their end, and timeouts",
     .programs = {first_uses_timeouts, NULL, NULL, client_calls, serve},
     .priorities = {4, 0, 0, 5, 5},
     .ticks = 2,
     .faults = 1,
     .wrong = wrong},
    {.name = "gate: their end in pieces",
     .programs = {first_calls, second_calls, NULL, client_calls, serve},
     .priorities = {3, 5, 0, 4, 6},
     .faults = 2,
     .in_pieces = true,
     .wrong = wrong},
    {.name = "gate: leases and timeouts",
     .programs = {first_uses_timeouts, NULL, NULL, client_lends_in_time, serve_leases},
     .priorities = {3, 0, 0, 4, 5},
     .ticks = 3,
     .wrong = wrong},
    {.name = "gate: leases and the end of server or client",
     .programs = {first_calls, NULL, NULL, client_lends, serve_leases},
     .priorities = {3, 0, 0, 4, 6},
     .faults = 2,
     .in_pieces = true,
     .wrong = wrong},
    {0},
};
