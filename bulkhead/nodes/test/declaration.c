// SPDX-License-Identifier: MIT
//
// Tests that nodes_start refuses declarations that cannot be run: for each it calls `stopped` with
// the reason, and this program continues there with the next declaration. The last declaration is
// valid. Runs on every node, with protection and without harness.c.
#include <bulkhead/nodes.h>
#include <stdbool.h>
#include <stddef.h>

#define STACK_BYTES 512
#define CONSOLE (*(volatile uint8_t *)0x10000000)
#define FINISHER (*(volatile uint32_t *)0x00100000)

#define OF_TASKS __attribute__((aligned(STACK_BYTES), section(".tasks.data")))

OF_TASKS static uint8_t stack[2 * STACK_BYTES], data[STACK_BYTES];
static struct nodes_task tasks[NODES_MAX_TASKS + 1];
static struct nodes_system declared;
static uint32_t cases;

static void write(const char *text) {
    while (*text) {
        CONSOLE = (uint8_t)*text++;
    }
}

_Noreturn static void fail(void) {
    write("FAIL: a declaration is not refused, or for another reason\n");
    FINISHER = 0x3333 | 1 << 16;
    for (;;) {
    }
}

static bool all_are_refused(void);

// Runs in machine mode on each node that has a task, when the valid declaration runs.
static uint32_t pass(uint32_t argument) {
    if (!all_are_refused()) {
        fail();
    }
    if (nodes_self == 0) {
        write("well\n");
        FINISHER = argument;
    }
    return 0;
}

static void ask_to_pass(void) {
    nodes_request(0x5555);
}

static void stopped(const char *reason);

static void declare(uint32_t count) {
    for (uint32_t i = 0; i < NODES_MAX_TASKS + 1; i++) {
        tasks[i] = (struct nodes_task){
            ask_to_pass, stack, STACK_BYTES, data, STACK_BYTES, 1, (uint8_t)(i % NODES_MAX)};
    }
    declared = (struct nodes_system){tasks, count, 640, NULL, stopped, pass};
}

static void too_many_tasks(void) {
    declare(NODES_MAX_TASKS + 1);
}

static void too_many_of_a_node(void) {
    for (uint32_t i = 0; i <= NODES_MAX_TASKS_PER_NODE; i++) {
        tasks[i].node = 0;
    }
}

static void no_such_node(void) {
    tasks[1].node = NODES_MAX;
}

static void no_priority(void) {
    tasks[1].priority = 0;
}

static void too_urgent(void) {
    tasks[1].priority = NODES_PRIORITY_HIGHEST + 1;
}

static void no_tick(void) {
    declared.tick_cycles = 63;
}

static void long_tick(void) {
    declared.tick_cycles = NODES_MAX_TICK_CYCLES + 1;
}

static void no_power_of_two(void) {
    tasks[1].stack_bytes = 3 * STACK_BYTES / 2;
}

static void not_aligned(void) {
    tasks[1].stack = stack + STACK_BYTES / 2;
}

static void no_data(void) {
    tasks[1].data = NULL;
    tasks[1].data_bytes = 0;
}

static void too_little_data(void) {
    tasks[1].data_bytes = 4;
}

#define REGION "a task's stack or data are not aligned to their size, a power of two"

static const struct {
    void (*spoil)(void);
    const char *reason;
} refusals[] = {
    {too_many_tasks, "there are too many tasks"},
    {too_many_of_a_node, "a node has too many tasks"},
    {no_such_node, "a task is of a node that cannot be"},
    {no_priority, "a task has no priority"},
    {too_urgent, "a task has no priority"},
    {no_tick, "a tick is too short or too long"},
    {long_tick, "a tick is too short or too long"},
    {no_power_of_two, REGION},
    {not_aligned, REGION},
    {no_data, REGION},
    {too_little_data, REGION},
};

#define REFUSALS (sizeof refusals / sizeof *refusals)

static bool all_are_refused(void) {
    return cases == REFUSALS;
}

static bool equal(const char *a, const char *b) {
    while (*a && *a == *b) {
        a++;
        b++;
    }
    return *a == *b;
}

_Noreturn static void start_next(void) {
    declare(NODES_MAX_TASKS);
    if (!all_are_refused()) {
        refusals[cases].spoil();
    }
    nodes_start(&declared);
}

static void stopped(const char *reason) {
    if (all_are_refused() || !equal(reason, refusals[cases].reason)) {
        fail();
    }
    cases++;
    start_next();
}

_Noreturn void test_main(void);
_Noreturn void test_main(void) {
    start_next();
}
