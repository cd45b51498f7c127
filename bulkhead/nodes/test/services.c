// SPDX-License-Identifier: MIT
//
// Tests that every service works as its header says, on node 0, on node 1 and between them. The
// results are the same under every scheduler, with protection and without.
#include "harness.h"
#include <bulkhead/nodes_bus.h>
#include <bulkhead/nodes_ring.h>

enum task { MAIN_0, MAIN_1, LOW, MIDDLE_A, MIDDLE_B, HIGH, ON_0, URGENT, ONCE, LATE, SOON, PEER };

enum semaphore {
    GATE,
    PASSED,
    READY_1,
    GO_1,
    DONE_1,
    FULL,
    SLEPT,
    FILLED_A,
    SPACE_A,
    FILLED_B,
    SPACE_B
};

#define RING_PLACES 4
#define RING_WORDS 2
#define RING_MESSAGES 20

OF_TASKS static volatile uint32_t runs, log_count, log[16];

static void note(uint32_t what) {
    log[log_count++] = what;
}

void test_faulted(uint32_t task, uint32_t cause) {
    (void)task;
    (void)cause;
}

// The memory that the tasks of both nodes share.
struct shared {
    uint32_t passed;
    uint32_t rings[2][RING_PLACES * RING_WORDS];
};

#define SHARED ((volatile struct shared *)NODES_WINDOW_FREE)

// --- Tasks ---------------------------------------------------------------------------------------

static void once(void) {
    runs++;
}

static void urgent(void) {
    note(URGENT);
}

static void peer(void) {
    note(PEER);
    nodes_yield();
    note(PEER);
}

static void test_tasks_of_a_node(void) {
    REQUIRE(nodes_task_self() == MAIN_0, "a task does not know itself");
    REQUIRE(nodes_create(NODES_MAX_TASKS) == NODES_ARGUMENT, "a task that is not declared begins");
    REQUIRE(nodes_create(MAIN_1) == NODES_ARGUMENT, "a task of another node begins");
    REQUIRE(nodes_create(MAIN_0) == NODES_FULL, "a task begins twice");
    REQUIRE(nodes_create(URGENT) == NODES_OK && log_count == 1, "an urgent task does not preempt");
    for (uint32_t i = 1; i <= 3; i++) {
        REQUIRE(nodes_create(ONCE) == NODES_OK, "a task that ended cannot begin again");
        nodes_set_priority(1);
        REQUIRE(runs == i, "a task of higher priority does not run");
        nodes_set_priority(10);
    }
    REQUIRE(nodes_set_priority(0) == NODES_ARGUMENT, "there is a priority too few");
    REQUIRE(nodes_set_priority(32) == NODES_ARGUMENT, "there is a priority too many");
}

static void test_yield(void) {
    log_count = 0;
    REQUIRE(nodes_create(PEER) == NODES_OK && log_count == 0, "an equal preempts");
    nodes_yield();
    REQUIRE(log_count == 1, "yield does not go to an equal");
    nodes_yield();
    REQUIRE(log_count == 2, "yield does not come back");
    nodes_yield();
    REQUIRE(log_count == 2, "a task runs on after its end");
}

// --- Semaphores ----------------------------------------------------------------------------------

static void wait_at_gate(void) {
    nodes_take(GATE);
    SHARED->passed = nodes_task_self();
    nodes_give(PASSED);
}

static void test_counts(void) {
    REQUIRE(nodes_take(NODES_SEMAPHORES) == NODES_ARGUMENT, "there is a semaphore too many");
    REQUIRE(nodes_call(NODES_CALL_TAKE, NODES_SEMAPHORES) == NODES_ARGUMENT,
            "the kernel trusts a semaphore's number");
    REQUIRE(nodes_call(NODES_CALL_GIVE, NODES_SEMAPHORES) == NODES_ARGUMENT,
            "the kernel trusts a semaphore's number to give");
    REQUIRE(nodes_semaphore_init(FULL, NODES_COUNT_MAX) == NODES_OK, "a count is refused");
    REQUIRE(nodes_give(FULL) == NODES_FULL, "a count goes beyond its maximum");
    for (uint32_t i = 0; i < NODES_COUNT_MAX; i++) {
        REQUIRE(nodes_take(FULL) == NODES_OK, "a count cannot be taken");
    }
}

// Wakes the most urgent task first, on either node; first come first served among equals.
static void test_order(void) {
    static const uint8_t order[] = {HIGH, ON_0, MIDDLE_A, MIDDLE_B, LOW};
    nodes_create(ON_0);
    nodes_delay(1);
    nodes_give(GO_1);
    nodes_take(READY_1);
    REQUIRE(nodes_semaphore_init(GATE, 1) == NODES_BUSY, "a count is set while tasks wait");
    for (uint32_t i = 0; i < sizeof order; i++) {
        REQUIRE(nodes_give(GATE) == NODES_OK, "nobody is woken");
        nodes_take(PASSED);
        REQUIRE(SHARED->passed == order[i], "waiters are served in a wrong order");
    }
    REQUIRE(nodes_semaphore_init(GATE, 0) == NODES_OK, "somebody waits still");
}

// --- Time ----------------------------------------------------------------------------------------

static void sleep_late(void) {
    nodes_delay(20);
    note(LATE);
    nodes_give(SLEPT);
}

static void sleep_soon(void) {
    nodes_delay(10);
    note(SOON);
    nodes_give(SLEPT);
}

static void test_delay(uint32_t late, uint32_t soon) {
    REQUIRE(nodes_delay(0) == NODES_ARGUMENT, "there is a delay of nothing");
    REQUIRE(nodes_delay(1 << 16) == NODES_ARGUMENT, "a delay is cut short");
    log_count = 0;
    nodes_create(late);
    nodes_create(soon);
    nodes_take(SLEPT);
    nodes_take(SLEPT);
    REQUIRE(log[0] == SOON && log[1] == LATE, "sleepers wake in a wrong order");
}

// --- Channels and the bus ------------------------------------------------------------------------

static struct nodes_ring ring(uint32_t number, uint32_t filled) {
    return nodes_ring(SHARED->rings[number], RING_PLACES, RING_WORDS, filled, filled + 1);
}

static void send_all(uint32_t number, uint32_t filled) {
    struct nodes_ring out = ring(number, filled);
    for (uint32_t i = 0; i < RING_MESSAGES; i++) {
        const uint32_t words[RING_WORDS] = {100 * number + i, ~i};
        nodes_ring_send(&out, words, RING_WORDS);
    }
}

static void receive_all(uint32_t number, uint32_t filled) {
    struct nodes_ring in = ring(number, filled);
    for (uint32_t i = 0; i < RING_MESSAGES; i++) {
        uint32_t words[RING_WORDS];
        nodes_ring_receive(&in, words, RING_WORDS);
        REQUIRE(words[0] == 100 * number + i && words[1] == ~i, "a ring changes a message");
    }
}

static const uint8_t priorities[] = {3, 9, 20, 9};

#define BUS 0

static void send_messages(void) {
    for (uint32_t i = 0; i < sizeof priorities; i++) {
        const uint32_t message[] = {i, priorities[i]};
        REQUIRE(nodes_bus_send(BUS, message, 5, priorities[i]) == NODES_OK, "the bus refuses");
    }
    volatile struct nodes_message *claimed = nodes_claim(BUS);
    REQUIRE(nodes_send(BUS, claimed, 32) == NODES_ARGUMENT, "a message has no priority");
    REQUIRE(nodes_release(BUS, claimed) == NODES_OK, "a place cannot be given back");
    REQUIRE(nodes_send(BUS, claimed, 1) == NODES_ARGUMENT, "a place is sent that was not claimed");
    REQUIRE(nodes_release(BUS, claimed) == NODES_ARGUMENT, "a place is given back twice");
    REQUIRE(nodes_bus_send(NODES_QUEUES, priorities, 1, 1) == NODES_ARGUMENT, "a queue too many");
}

// The receiver has the first message's priority, 20, until it releases this message. Until then the
// task URGENT, of priority 12, cannot preempt it.
static void test_inheritance(void) {
    log_count = 0;
    volatile struct nodes_message *message = nodes_receive(BUS);
    REQUIRE(message->priority == 20, "the most urgent message does not come first");
    REQUIRE(nodes_create(URGENT) == NODES_OK && log_count == 0, "the priority is not inherited");
    nodes_release(BUS, message);
    REQUIRE(log_count == 1, "the inherited priority stays");
}

static void test_bus(void) {
    static const uint8_t order[] = {1, 3, 0};
    test_inheritance();
    for (uint32_t i = 0; i < sizeof order; i++) {
        uint32_t message[NODES_MESSAGE_BYTES / 4], bytes;
        REQUIRE(nodes_bus_receive(BUS, message, &bytes) == NODES_OK && bytes == 5,
                "a message has another length");
        REQUIRE(message[0] == order[i] && message[1] == priorities[order[i]],
                "messages come in a wrong order");
    }
}

// --- Both nodes ----------------------------------------------------------------------------------

static void main_0(void) {
    test_tasks_of_a_node();
    test_yield();
    test_counts();
    test_delay(LATE, SOON);
    test_order();
    nodes_queue_init(BUS, 5);
    nodes_semaphore_init(SPACE_A, NODES_RING_SPACE);
    nodes_semaphore_init(SPACE_B, NODES_RING_SPACE);
    nodes_give(GO_1);
    receive_all(0, FILLED_A);
    send_all(1, FILLED_B);
    nodes_take(DONE_1);
    test_bus();
    test_print("well\n");
    test_pass();
}

static void main_1(void) {
    nodes_take(GO_1);
    nodes_create(LOW);
    nodes_create(MIDDLE_A);
    nodes_create(MIDDLE_B);
    nodes_create(HIGH);
    nodes_delay(10);
    nodes_give(READY_1);
    nodes_take(GO_1);
    send_all(0, FILLED_A);
    receive_all(1, FILLED_B);
    send_messages();
    nodes_give(DONE_1);
}

const struct test_task test_tasks[] = {
    [MAIN_0] = TASK(main_0, 10, 0),
    [MAIN_1] = TASK(main_1, 10, 1),
    [LOW] = TASK(wait_at_gate, 3, 1),
    [MIDDLE_A] = TASK(wait_at_gate, 5, 1),
    [MIDDLE_B] = TASK(wait_at_gate, 5, 1),
    [HIGH] = TASK(wait_at_gate, 9, 1),
    [ON_0] = TASK(wait_at_gate, 7, 0),
    [URGENT] = TASK(urgent, 12, 0),
    [ONCE] = TASK(once, 5, 0),
    [LATE] = TASK(sleep_late, 4, 0),
    [SOON] = TASK(sleep_soon, 4, 0),
    [PEER] = TASK(peer, 10, 0),
};
const uint32_t test_task_count = sizeof test_tasks / sizeof *test_tasks;
