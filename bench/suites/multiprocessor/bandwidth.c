// SPDX-License-Identifier: MIT
//
// 10 kB from the first node's task to the second's in PARAM_MESSAGES messages, as equal as whole
// words can be: from before the first send to the receiver's word that all have come and were
// right. Source: the paper, 2.2.1; there the receiver's clock ends it, here an answer does, which
// is one wake-up more.
#include "message.h"

enum { TOTAL_WORDS = 10240 / 4, MESSAGES = PARAM_MESSAGES };
enum { LONGEST = (TOTAL_WORDS + MESSAGES - 1) / MESSAGES, PLACES = LONGEST > 256 ? 2 : 8 };

_Static_assert(PARAM_TRANSPORT == raw || 4 * LONGEST <= BENCH_BUS_BYTES,
               "the bus carries 10 kB in no fewer than 80 messages");

static const struct way way = {0};
static const struct bench_semaphore arrived = {0};

static uint32_t bytes_of(uint32_t message) {
    return 4 * ((message + 1) * TOTAL_WORDS / MESSAGES - message * TOTAL_WORDS / MESSAGES);
}

static void sender(void) {
    static uint32_t words[LONGEST];
    for (uint32_t i = 0; i < LONGEST; i++) {
        words[i] = content(0, i);
    }
    for (uint32_t sequence = 0;;) {
        BENCH_MARK("first.before");
        for (uint32_t i = 0; i < MESSAGES; i++) {
            words[0] = content(sequence++, 0);
            REQUIRE_OK(send(way, words, bytes_of(i)), "send failed");
        }
        REQUIRE_OK(bench_semaphore_take(arrived, BENCH_FOREVER), "take failed");
        BENCH_MARK("last.after");
    }
}

static void require_message(const uint32_t *words, uint32_t bytes, uint32_t sequence) {
    BENCH_REQUIRE(words[0] == content(sequence, 0), "a message was lost, doubled or swapped");
    for (uint32_t i = 1; 4 * i < bytes; i++) {
        BENCH_REQUIRE(words[i] == content(0, i), "a message was changed");
    }
}

static void receiver(void) {
    static uint32_t words[LONGEST > BENCH_BUS_BYTES / 4 ? LONGEST : BENCH_BUS_BYTES / 4];
    for (uint32_t sequence = 0;;) {
        for (uint32_t i = 0; i < MESSAGES; i++) {
            uint32_t bytes = bytes_of(i);
            REQUIRE_OK(receive(way, words, &bytes), "receive failed");
            BENCH_REQUIRE(bytes == bytes_of(i), "a message has another length");
            require_message(words, bytes, sequence++);
        }
        REQUIRE_OK(bench_semaphore_give(arrived), "give failed");
    }
}

static const struct bench_task_declaration tasks[] = {
    TASK_ON(FIRST_NODE, sender, LOW_PRIORITY),
    TASK_ON(SECOND_NODE, receiver, LOW_PRIORITY),
};
static const struct bench_semaphore_declaration semaphores[] = {{0, 1, 0, 1}};
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
