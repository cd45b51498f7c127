// SPDX-License-Identifier: MIT
//
// `node-interrupt`: an interrupt of either node wakes the task of the other node that waits for the
// semaphore which the interrupt gives, once for each interrupt, and a task of its own node.
#include "../conformance.h"

enum { FIRST, SECOND, ROUNDS = 6 };
enum { WAKES, OWN_WAKES, ENDED }; // words of the shared memory

static const struct bench_semaphore there = {0}, back = {1}, own = {2};
static const struct bench_interrupt wakes_second = {0}, wakes_first = {1}, wakes_own = {2};

static volatile uint32_t *shared(void) {
    return (volatile uint32_t *)bench_shared_memory();
}

static void first(void) {
    BENCH_MARK("begin");
    for (uint32_t round = 1; round <= ROUNDS; round++) {
        bench_interrupt_trigger(wakes_second);
        REQUIRE_OK(bench_semaphore_take(back, BENCH_FOREVER), "semaphore: refused to take");
        BENCH_REQUIRE(shared()[WAKES] == round, "node-interrupt: not one wake for each interrupt");
    }
    bench_interrupt_trigger(wakes_own);
    while (!shared()[OWN_WAKES]) {
        bench_task_yield();
    }
    shared()[ENDED] = 1;
    REQUIRE_OK(bench_semaphore_give(there), "semaphore: refused to give");
    REQUIRE_OK(bench_semaphore_take(back, BENCH_FOREVER), "semaphore: refused to take");
    BENCH_REQUIRE(shared()[WAKES] == ROUNDS, "node-interrupt: an interrupt woke its task twice");
    proved();
}

static void waiter(void) {
    REQUIRE_OK(bench_semaphore_take(own, BENCH_FOREVER), "semaphore: refused to take");
    BENCH_REQUIRE(bench_node_self() == FIRST, "node: a task runs on the wrong node");
    shared()[OWN_WAKES] = 1;
    for (;;) {
        bench_task_yield();
    }
}

static void second(void) {
    for (;;) {
        REQUIRE_OK(bench_semaphore_take(there, BENCH_FOREVER), "semaphore: refused to take");
        BENCH_REQUIRE(bench_node_self() == SECOND, "node: a task runs on the wrong node");
        if (!shared()[ENDED]) {
            shared()[WAKES]++;
        }
        bench_interrupt_trigger(wakes_first);
    }
}

static const struct bench_task_declaration tasks[] = {
    TASK_ON(FIRST, first, 5, BENCH_READY),
    TASK_ON(FIRST, waiter, 5, BENCH_READY),
    TASK_ON(SECOND, second, 5, BENCH_READY),
};
static const struct bench_semaphore_declaration semaphores[] = {
    {0, 1, 0, 1}, {0, 1, 0, 1}, {0, 1, 0, 1}};
static const struct bench_interrupt_declaration interrupts[] = {
    {.action = BENCH_INTERRUPT_POSTS, .object = 0},
    {.action = BENCH_INTERRUPT_POSTS, .object = 1},
    {.action = BENCH_INTERRUPT_POSTS, .object = 2},
};

const struct bench_scenario bench_scenario = {
    .name = "nodes-interrupt",
    BENCH_TASKS(tasks),
    BENCH_SEMAPHORES(semaphores),
    BENCH_INTERRUPTS(interrupts),
};
