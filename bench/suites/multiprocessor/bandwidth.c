// SPDX-License-Identifier: MIT
//
// Sends 10 kB from the first node's task to the second node's task in PARAM_MESSAGES messages, of
// lengths as equal as whole words allow. The span runs from before the first send to the receiver's
// answer that all messages have arrived. Source: Samuelsson et al. (suite.toml), 2.2.1. There the
// receiver's clock ends the measurement; here the answer does, which costs one more wake-up.
//
// Every word encodes its round and its place. The sender fills in the words before the span, and
// the receiver checks them after it.
#include "message.h"

enum { TOTAL_WORDS = 10240 / 4, MESSAGES = PARAM_MESSAGES };
enum { LONGEST = (TOTAL_WORDS + MESSAGES - 1) / MESSAGES, PLACES = LONGEST > 256 ? 2 : 8 };

_Static_assert(PARAM_TRANSPORT == raw || 4 * LONGEST <= BENCH_BUS_BYTES,
               "the bus carries 10 kB in no fewer than 80 messages");

static const struct way way = {0};
static const struct bench_semaphore arrived = {0}, verified = {1};

// Has room after the last message, because a receiver needs BENCH_BUS_BYTES.
static uint32_t words[TOTAL_WORDS + BENCH_BUS_BYTES / 4];

static uint32_t end_of(uint32_t message) {
    return (message + 1) * TOTAL_WORDS / MESSAGES;
}

static void send_all(void) {
    for (uint32_t i = 0, at = 0; i < MESSAGES; at = end_of(i++)) {
        REQUIRE_OK(send(way, words + at, 4 * (end_of(i) - at)), "send failed");
    }
}

static void sender(void) {
    for (uint32_t round = 0;; round++) {
        fill(words, 4 * TOTAL_WORDS, round);
        BENCH_MARK("first.before");
        send_all();
        REQUIRE_OK(bench_semaphore_take(arrived, BENCH_FOREVER), "take failed");
        BENCH_MARK("last.after");
        REQUIRE_OK(bench_semaphore_take(verified, BENCH_FOREVER), "take failed");
    }
}

static void receive_all(void) {
    for (uint32_t i = 0, at = 0; i < MESSAGES; at = end_of(i++)) {
        uint32_t bytes = 4 * (end_of(i) - at);
        REQUIRE_OK(receive(way, words + at, &bytes), "receive failed");
        BENCH_REQUIRE(bytes == 4 * (end_of(i) - at), "a message has the wrong length");
    }
}

static void receiver(void) {
    for (uint32_t round = 0;; round++) {
        receive_all();
        REQUIRE_OK(bench_semaphore_give(arrived), "give failed");
        require_content(words, 4 * TOTAL_WORDS, round);
        REQUIRE_OK(bench_semaphore_give(verified), "give failed");
    }
}

static const struct bench_task_declaration tasks[] = {
    TASK_ON(FIRST_NODE, sender, LOW_PRIORITY),
    TASK_ON(SECOND_NODE, receiver, LOW_PRIORITY),
};
static const struct bench_semaphore_declaration semaphores[] = {{0, 1, 0, 1}, {0, 1, 0, 1}};
static const struct bench_channel_declaration channels[] = {{PLACES, LONGEST}};
static const struct bench_bus_declaration buses[] = {{PLACES}};

const struct bench_scenario bench_scenario = {
    .name = "bandwidth",
    BENCH_TASKS(tasks),
    BENCH_SEMAPHORES(semaphores),
    .channels = channels,
    .channel_count = PARAM_TRANSPORT == raw ? 1 : 0,
    .buses = buses,
    .bus_count = PARAM_TRANSPORT == bus ? 1 : 0,
};
