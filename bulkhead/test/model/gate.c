// SPDX-License-Identifier: MIT
//
// Calls into another process. Each call is answered once, with its own words. A waiting thread is
// woken if the other side ends. The server has the priority of the thread that it serves, and never
// blocks for ever.
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

static const char *wrong(bool rests) {
    const char *server = world_server_wrong();
    if (server != NULL) {
        return server;
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
    {0},
};
