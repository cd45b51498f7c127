// SPDX-License-Identifier: MIT
//
// Tests the share of the master's own task while other nodes keep the kernel busy: first with many
// tasks that sleep, then with calls of two nodes as well. The master's task works for the same time
// in each of three cases: alone, with the sleepers, and with sleepers and calls. Runs on four nodes
// and in machine mode, because it reads the cycle counter.
#include "harness.h"

#define SLEEPERS 12 // number of sleeping tasks on each node except the master
enum task {
    MAIN_0,
    CALLER_1,
    CALLER_2,
    CALLER_3,
    PEER_1,
    PEER_2,
    SLEEPER_1,
    SLEEPER_2 = SLEEPER_1 + SLEEPERS,
    SLEEPER_3 = SLEEPER_2 + SLEEPERS,
};
enum semaphore { GO_1, GO_2, GO_3, SLEEPING, CALLING };

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

static void sleep_for_ever(void) {
    for (;;) {
        nodes_delay(1);
    }
}

static void begin_sleepers(uint32_t go, uint32_t first) {
    nodes_take(go);
    for (uint32_t i = 0; i < SLEEPERS; i++) {
        nodes_create(first + i);
    }
    nodes_give(SLEEPING);
    nodes_take(go);
}

static void call(uint32_t peer) {
    nodes_create(peer);
    nodes_give(CALLING);
    yield_for_ever();
}

static void call_1(void) {
    begin_sleepers(GO_1, SLEEPER_1);
    call(PEER_1);
}

static void call_2(void) {
    begin_sleepers(GO_2, SLEEPER_2);
    call(PEER_2);
}

static void only_sleep_3(void) {
    begin_sleepers(GO_3, SLEEPER_3);
}

static void require_share(uint32_t alone) {
    const uint32_t percent = 100 * work() / alone;
    test_print("share ");
    test_print_number(percent);
    test_print("percent\n");
    REQUIRE(percent >= SHARE_PERCENT, "the master's task starves");
}

static void main_0(void) {
    const uint32_t alone = work();
    for (uint32_t go = GO_1; go <= GO_3; go++) {
        nodes_give(go);
        nodes_take(SLEEPING);
    }
    require_share(alone);
    nodes_give(GO_1);
    nodes_give(GO_2);
    nodes_take(CALLING);
    nodes_take(CALLING);
    require_share(alone);
    test_pass();
}

#define TASK_SLEEPER(first, node_) \
    [(first)...(first) + SLEEPERS - 1] = TASK(sleep_for_ever, 11, node_)

const struct test_task test_tasks[] = {
    [MAIN_0] = TASK(main_0, 10, 0),
    [CALLER_1] = TASK(call_1, 12, 1),
    [CALLER_2] = TASK(call_2, 12, 2),
    [CALLER_3] = TASK(only_sleep_3, 12, 3),
    [PEER_1] = TASK(yield_for_ever, 12, 1),
    [PEER_2] = TASK(yield_for_ever, 12, 2),
    TASK_SLEEPER(SLEEPER_1, 1),
    TASK_SLEEPER(SLEEPER_2, 2),
    TASK_SLEEPER(SLEEPER_3, 3),
};
const uint32_t test_task_count = sizeof test_tasks / sizeof *test_tasks;
