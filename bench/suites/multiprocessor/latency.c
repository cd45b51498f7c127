// SPDX-License-Identifier: MIT
//
// Sends a message of PARAM_BYTES from the first node's task to the second node's task, which sends
// it back. The span runs from before the send to after the receipt of the answer. Source:
// Samuelsson et al. (suite.toml), 2.2.2.
//
// The sender fills and checks the content outside the span. The echo task's work is part of a round
// trip: it receives into its own memory, sends from there and checks nothing.
#include "message.h"

enum { BYTES = PARAM_BYTES, WORDS = (BYTES + 3) / 4 };

static const struct way there = {0}, back = {1};

static void sender(void) {
    static uint32_t sent[WORDS], answer[BENCH_BUS_BYTES / 4];
    for (uint32_t round = 0;; round++) {
        uint32_t bytes = BYTES;
        fill(sent, BYTES, round);
        BENCH_MARK("send.before");
        const enum bench_status gone = send(there, sent, BYTES);
        const enum bench_status come = receive(back, answer, &bytes);
        BENCH_MARK("answer.after");
        REQUIRE_OK(gone, "send failed");
        REQUIRE_OK(come, "receive failed");
        BENCH_REQUIRE(bytes == BYTES, "the answer has the wrong length");
        require_content(answer, BYTES, round);
    }
}

static void echo(void) {
    static uint32_t message[BENCH_BUS_BYTES / 4];
    for (;;) {
        uint32_t bytes = BYTES;
        REQUIRE_OK(receive(there, message, &bytes), "the echo's receive failed");
        REQUIRE_OK(send(back, message, bytes), "the echo's send failed");
    }
}

static const struct bench_task_declaration tasks[] = {
    TASK_ON(FIRST_NODE, sender, LOW_PRIORITY),
    TASK_ON(SECOND_NODE, echo, LOW_PRIORITY),
};
static const struct bench_channel_declaration channels[] = {[0 ... 1] = {32, WORDS}};
static const struct bench_bus_declaration buses[] = {[0 ... 1] = {32}};

const struct bench_scenario bench_scenario = {
    .name = "latency",
    BENCH_TASKS(tasks),
    .channels = channels,
    .channel_count = PARAM_TRANSPORT == raw ? 2 : 0,
    .buses = buses,
    .bus_count = PARAM_TRANSPORT == bus ? 2 : 0,
};
