// SPDX-License-Identifier: MIT
//
// Two nodes call the kernel without pause: the master's own task keeps its share all the same. It
// works alone first, then against them, for the same time each. In machine mode, for it reads the
// cycle counter. On four nodes; the last one is idle.
#include "harness.h"

enum task { MAIN_0, CALLER_1, PEER_1, CALLER_2, PEER_2 };
enum semaphore { GO_1, GO_2, CALLING };

#define WORK_CYCLES 20000
#define SHARE_PERCENT 40

void test_faulted(uint32_t task, uint32_t cause) {
    (void)task;
    (void)cause;
}

static uint32_t work(void) {
    const uint32_t begin = test_cycles();
    uint32_t rounds = 0;
    while (test_cycles() - begin < WORK_CYCLES) {
        rounds++;
    }
    return rounds;
}

static void yield_for_ever(void) {
    for (;;) {
        nodes_yield();
    }
}

static void call(uint32_t go, uint32_t peer) {
    nodes_take(go);
    nodes_create(peer);
    nodes_give(CALLING);
    yield_for_ever();
}

static void call_1(void) {
    call(GO_1, PEER_1);
}

static void call_2(void) {
    call(GO_2, PEER_2);
}

static void main_0(void) {
    const uint32_t alone = work();
    nodes_give(GO_1);
    nodes_give(GO_2);
    nodes_take(CALLING);
    nodes_take(CALLING);
    const uint32_t percent = 100 * work() / alone;
    test_print("share ");
    test_print_number(percent);
    test_print("percent\n");
    REQUIRE(percent >= SHARE_PERCENT, "the master's task starves");
    test_pass();
}

const struct test_task test_tasks[] = {
    [MAIN_0] = {main_0, 10, 0, false},         [CALLER_1] = {call_1, 10, 1, false},
    [PEER_1] = {yield_for_ever, 10, 1, false}, [CALLER_2] = {call_2, 10, 2, false},
    [PEER_2] = {yield_for_ever, 10, 2, false},
};
const uint32_t test_task_count = sizeof test_tasks / sizeof *test_tasks;
