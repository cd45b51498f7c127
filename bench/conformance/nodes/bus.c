// SPDX-License-Identifier: MIT
//
// `bus`: a bus between nodes delivers whole messages, the most urgent first.
#include "../conformance.h"

enum { FIRST, SECOND };

static const struct bench_bus bus = {0};
static const struct bench_semaphore all_sent = {0}, all_came = {1};

struct letter {
    uint32_t priority, text[3];
};

// Priorities in the order of sending, and in the order of receiving.
static const uint32_t sent[] = {5, 2, 9}, received[] = {2, 5, 9};
enum { LETTERS = sizeof sent / sizeof *sent, LETTER_BYTES = sizeof(struct letter) - 3 };

static struct letter letter(uint32_t priority) {
    return (struct letter){priority, {~priority, 3 * priority, priority << 24 | 0x77}};
}

static void sender(void) {
    BENCH_MARK("begin");
    for (unsigned i = 0; i < LETTERS; i++) {
        const struct letter message = letter(sent[i]);
        REQUIRE_OK(bench_bus_send(bus, &message, LETTER_BYTES, sent[i]), "bus: refused to send");
    }
    REQUIRE_OK(bench_semaphore_give(all_sent), "semaphore: refused to give");
    REQUIRE_OK(bench_semaphore_take(all_came, BENCH_FOREVER), "semaphore: refused to take");
    proved();
}

static void receive_letter(uint32_t priority) {
    uint32_t message[BENCH_BUS_BYTES / 4], bytes = 0;
    const struct letter expected = letter(priority);
    REQUIRE_OK(bench_bus_receive(bus, message, &bytes), "bus: refused to receive");
    BENCH_REQUIRE(message[0] == expected.priority, "bus: not the most urgent message");
    BENCH_REQUIRE(bytes == LETTER_BYTES, "bus: a message has the wrong length");
    BENCH_REQUIRE(message[1] == expected.text[0] && message[2] == expected.text[1] &&
                      (uint8_t)message[3] == (uint8_t)expected.text[2],
                  "bus: a message has the wrong words");
}

static void receiver(void) {
    REQUIRE_OK(bench_semaphore_take(all_sent, BENCH_FOREVER), "semaphore: refused to take");
    for (unsigned i = 0; i < LETTERS; i++) {
        receive_letter(received[i]);
    }
    REQUIRE_OK(bench_semaphore_give(all_came), "semaphore: refused to give");
    for (;;) {
        bench_task_yield();
    }
}

static const struct bench_task_declaration tasks[] = {
    TASK_ON(FIRST, sender, 5, BENCH_READY),
    TASK_ON(SECOND, receiver, 5, BENCH_READY),
};
static const struct bench_semaphore_declaration semaphores[] = {{0, 1, 0, 1}, {0, 1, 0, 1}};
static const struct bench_bus_declaration buses[] = {{.places = LETTERS}};

const struct bench_scenario bench_scenario = {
    .name = "nodes-bus",
    BENCH_TASKS(tasks),
    BENCH_SEMAPHORES(semaphores),
    BENCH_BUSES(buses),
};
