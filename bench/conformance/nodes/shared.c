// SPDX-License-Identifier: MIT
//
// `node`, `shared-memory` and `channel`: a task runs on its declared node; the shared memory is
// zero at start-up and the same for all nodes; a channel keeps the order and the words of more
// messages than it has places for.
#include "../conformance.h"

enum { FIRST, SECOND, MESSAGES = 12, PLACES = 4, WORDS = 2, WRITTEN = 0x5a17c0de };

static const struct bench_channel there = {0}, back = {1};

static volatile uint32_t *shared(void) {
    return (volatile uint32_t *)bench_shared_memory();
}

static void first(void) {
    BENCH_MARK("begin");
    BENCH_REQUIRE(bench_node_self() == FIRST, "node: a task runs on the wrong node");
    BENCH_REQUIRE(shared()[0] == 0 && shared()[1] == 0, "shared-memory: not zero at the start");
    shared()[0] = WRITTEN;
    for (uint32_t i = 0; i < MESSAGES; i++) {
        const uint32_t words[WORDS] = {i, ~i};
        REQUIRE_OK(bench_channel_send(there, words, WORDS), "channel: refused to send");
    }
    uint32_t answer[WORDS];
    REQUIRE_OK(bench_channel_receive(back, answer, WORDS), "channel: refused to receive an answer");
    BENCH_REQUIRE(answer[0] == WRITTEN && answer[1] == MESSAGES,
                  "channel: an answer has the wrong words");
    BENCH_REQUIRE(shared()[1] == WRITTEN, "shared-memory: a write of the other node is missing");
    proved();
}

static void receive_words(void) {
    for (uint32_t i = 0; i < MESSAGES; i++) {
        uint32_t words[WORDS];
        REQUIRE_OK(bench_channel_receive(there, words, WORDS), "channel: refused to receive");
        BENCH_REQUIRE(words[0] == i && words[1] == ~i, "channel: a message has the wrong words");
    }
}

static void second(void) {
    static const uint32_t answer[WORDS] = {WRITTEN, MESSAGES};
    BENCH_REQUIRE(bench_node_self() == SECOND, "node: a task runs on the wrong node");
    receive_words();
    BENCH_REQUIRE(shared()[0] == WRITTEN, "shared-memory: a write before a message is missing");
    shared()[1] = WRITTEN;
    REQUIRE_OK(bench_channel_send(back, answer, WORDS), "channel: refused to send an answer");
    for (;;) {
        bench_task_yield();
    }
}

static const struct bench_task_declaration tasks[] = {
    TASK_ON(FIRST, first, 5, BENCH_READY),
    TASK_ON(SECOND, second, 5, BENCH_READY),
};
static const struct bench_channel_declaration channels[] = {{PLACES, WORDS}, {PLACES, WORDS}};

const struct bench_scenario bench_scenario = {
    .name = "nodes",
    BENCH_TASKS(tasks),
    BENCH_CHANNELS(channels),
};
