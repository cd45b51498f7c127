// SPDX-License-Identifier: MIT
//
// Measures the cycles of the figures that have limits (docs/explanation/multicore/figures.md)
// inside the system and prints them, one a line: `name cycles`. The check compares them with the
// limits. Runs in machine mode, because user mode cannot read the cycle counter. The cost of
// reading the counter is measured under the same conditions and subtracted.
#include "harness.h"
#include <bulkhead/nodes_bus.h>
#include <bulkhead/nodes_ring.h>

enum task { MAIN_0, MAIN_1, ECHO, SINK, PEER_0, PEER_1, ABSENT_0, ABSENT_1 = ABSENT_0 + 17 };
enum semaphore { GO_0, PING, PONG, DONE, FILLED, SPACE };

#define EXISTING 17
#define ROUNDS 8
#define MESSAGES 320
#define WORDS 8 // 32 bytes
#define PLACES 8

struct shared {
    uint8_t ping;
    uint8_t pad[3];
    uint8_t pong;
    uint8_t pad2[3];
    uint32_t words[PLACES * WORDS];
};

#define SHARED ((volatile struct shared *)NODES_WINDOW_FREE)

void test_faulted(uint32_t task, uint32_t cause) {
    (void)task;
    (void)cause;
}

static void print(const char *name, uint32_t cycles) {
    test_print(name);
    test_print(" ");
    test_print_number(cycles);
    test_print("\n");
}

static void end_at_once(void) {
}

// --- Create and yield ----------------------------------------------------------------------------

OF_TASKS static volatile uint32_t before, slowest;

static uint32_t reading(void) {
    const uint32_t begin = test_cycles();
    return test_cycles() - begin;
}

// Returns the cost of reading a time that is kept in memory.
static uint32_t reading_before(void) {
    before = test_cycles();
    return test_cycles() - before;
}

static void measure_create(uint32_t first) {
    uint32_t most = 0;
    for (uint32_t i = 0; i < EXISTING; i++) {
        const uint32_t begin = test_cycles();
        nodes_create(first + i);
        const uint32_t cycles = test_cycles() - begin;
        most = cycles > most ? cycles : most;
    }
    print("create", most - reading());
}

static void peer(void) {
    for (int i = 0; i < ROUNDS; i++) {
        nodes_yield();
        const uint32_t cycles = test_cycles() - before;
        slowest = cycles > slowest ? cycles : slowest;
    }
}

static void measure_yield(uint32_t other) {
    nodes_create(other);
    for (int i = 0; i < ROUNDS; i++) {
        before = test_cycles();
        nodes_yield();
    }
    print("yield", slowest - reading_before());
}

// --- Round trip and bandwidth --------------------------------------------------------------------

static void echo(void) {
    for (;;) {
        nodes_take(PING);
        SHARED->pong = SHARED->ping;
        nodes_give(PONG);
    }
}

static void measure_round_trip(void) {
    uint32_t most = 0;
    for (uint8_t i = 0; i < ROUNDS; i++) {
        const uint32_t begin = test_cycles();
        SHARED->ping = i;
        nodes_give(PING);
        nodes_take(PONG);
        REQUIRE(SHARED->pong == i, "the answer is wrong");
        const uint32_t cycles = test_cycles() - begin;
        most = cycles > most ? cycles : most;
    }
    print("round-trip", most - reading());
}

static struct nodes_ring ring(void) {
    return nodes_ring(SHARED->words, PLACES, WORDS, FILLED, SPACE);
}

static void sink(void) {
    struct nodes_ring in = ring();
    for (uint32_t i = 0; i < MESSAGES; i++) {
        uint32_t words[WORDS];
        nodes_ring_receive(&in, words, WORDS);
        for (uint32_t word = 0; word < WORDS; word++) {
            REQUIRE(words[word] == i * WORDS + word, "a message is wrong");
        }
    }
    nodes_give(DONE);
}

static void measure_bandwidth(void) {
    struct nodes_ring out = ring();
    nodes_semaphore_init(SPACE, NODES_RING_SPACE);
    const uint32_t begin = test_cycles();
    for (uint32_t i = 0; i < MESSAGES; i++) {
        uint32_t words[WORDS];
        for (uint32_t word = 0; word < WORDS; word++) {
            words[word] = i * WORDS + word;
        }
        nodes_ring_send(&out, words, WORDS);
    }
    nodes_take(DONE);
    print("bandwidth", test_cycles() - begin);
}

// --- The nodes -----------------------------------------------------------------------------------

static void main_1(void) {
    nodes_delay(10);
    measure_create(ABSENT_1);
    nodes_delay(20);
    measure_yield(PEER_1);
    nodes_delay(20); // the peer task ends meanwhile
    measure_round_trip();
    measure_bandwidth();
    nodes_give(GO_0);
}

static void main_0(void) {
    nodes_create(ECHO);
    nodes_create(SINK);
    nodes_take(GO_0);
    measure_create(ABSENT_0);
    nodes_delay(20);
    measure_yield(PEER_0);
    test_pass();
}

#define TASK_ABSENT(first, node_) [(first)...(first) + EXISTING - 1] = TASK(end_at_once, 3, node_)

const struct test_task test_tasks[] = {
    [MAIN_0] = TASK(main_0, 10, 0), [MAIN_1] = TASK(main_1, 10, 1), [ECHO] = TASK(echo, 20, 0),
    [SINK] = TASK(sink, 21, 0),     [PEER_0] = TASK(peer, 10, 0),   [PEER_1] = TASK(peer, 10, 1),
    TASK_ABSENT(ABSENT_0, 0),       TASK_ABSENT(ABSENT_1, 1),
};
const uint32_t test_task_count = sizeof test_tasks / sizeof *test_tasks;
