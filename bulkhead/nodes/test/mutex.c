// SPDX-License-Identifier: MIT
//
// Mutexes of the RTU between two nodes: errors, priority inheritance across the bus, and a task
// that ends while it owns mutexes.
#include "harness.h"

enum task { MAIN_0, MAIN_1, LOW, MIDDLE, OWNER, URGENT };
enum semaphore { LOCKED, GO_1, DONE };
enum mutex { CONTENDED, KEPT, KEPT_TOO };
enum event { LOW_OWNS, MIDDLE_RUNS, LOW_RUNS };

OF_TASKS static volatile uint32_t log_count, log[8];

static void note(uint32_t what) {
    log[log_count++] = what;
}

void test_faulted(uint32_t task, uint32_t cause) {
    (void)task;
    (void)cause;
}

static void test_errors(void) {
    REQUIRE(nodes_lock(NODES_MUTEXES) == NODES_ARGUMENT, "there is a mutex too many");
    REQUIRE(nodes_call(NODES_CALL_TAKE, NODES_MUTEX(NODES_MUTEXES)) == NODES_ARGUMENT,
            "the kernel trusts a mutex's number");
    REQUIRE(nodes_call(NODES_CALL_GIVE, NODES_MUTEX(NODES_MUTEXES)) == NODES_ARGUMENT,
            "the kernel trusts a mutex's number to unlock");
    REQUIRE(nodes_unlock(CONTENDED) == NODES_OWNER, "a free mutex is unlocked");
    REQUIRE(nodes_lock(CONTENDED) == NODES_OK, "a free mutex is refused");
    REQUIRE(nodes_lock(CONTENDED) == NODES_OWNER, "a mutex is locked twice");
    REQUIRE(nodes_unlock(CONTENDED) == NODES_OK, "the owner cannot unlock");
}

// LOW is less urgent than MIDDLE, which spins until LOW has made its first note. LOW gets the
// processor only by the priority of MAIN_1, which waits for LOW's mutex on the other node.
static void low(void) {
    nodes_lock(CONTENDED);
    nodes_give(LOCKED);
    note(LOW_OWNS);
    REQUIRE(nodes_unlock(CONTENDED) == NODES_OK, "an owner that inherits cannot unlock");
    note(LOW_RUNS);
    nodes_give(DONE);
}

static void middle(void) {
    while (log_count == 0) {
    }
    note(MIDDLE_RUNS);
}

static void test_inheritance(void) {
    nodes_create(LOW);
    nodes_take(LOCKED);
    nodes_create(MIDDLE);
    nodes_give(GO_1);
    nodes_take(DONE);
    nodes_take(DONE);
    REQUIRE(log[0] == LOW_OWNS, "an owner does not inherit the priority of a task that waits");
    REQUIRE(log[1] == MIDDLE_RUNS && log[2] == LOW_RUNS, "the inherited priority stays");
}

static void wait_for_owner(void) {
    REQUIRE(nodes_lock(KEPT) == NODES_OK, "the end of an owner wakes nobody");
    nodes_unlock(KEPT);
    nodes_give(DONE);
}

// URGENT waits for a mutex of this task and becomes ready while this task ends. The exit must end
// this task, although URGENT is more urgent.
static void own_and_end(void) {
    nodes_lock(KEPT);
    nodes_lock(KEPT_TOO);
    nodes_create(URGENT);
}

static void test_end_of_owner(void) {
    REQUIRE(nodes_create(OWNER) == NODES_OK, "the owner does not begin");
    nodes_take(DONE);
    REQUIRE(nodes_lock(KEPT_TOO) == NODES_OK && nodes_lock(KEPT) == NODES_OK,
            "a mutex of a task that ended is refused");
    nodes_unlock(KEPT);
    nodes_unlock(KEPT_TOO);
    REQUIRE(nodes_create(OWNER) == NODES_OK, "an owner that ended cannot begin again");
}

static void main_0(void) {
    test_errors();
    test_inheritance();
    test_end_of_owner();
    test_print("well\n");
    test_pass();
}

static void main_1(void) {
    nodes_take(GO_1);
    REQUIRE(nodes_lock(CONTENDED) == NODES_OK, "a task that waited does not own the mutex");
    REQUIRE(nodes_unlock(CONTENDED) == NODES_OK, "a task that waited cannot unlock");
    nodes_give(DONE);
}

const struct test_task test_tasks[] = {
    [MAIN_0] = TASK(main_0, 10, 0),
    [MAIN_1] = TASK(main_1, 20, 1),
    [LOW] = TASK(low, 5, 0),
    [MIDDLE] = TASK(middle, 7, 0),
    [OWNER] = TASK(own_and_end, 12, 0),
    [URGENT] = TASK(wait_for_owner, 15, 0),
};
const uint32_t test_task_count = sizeof test_tasks / sizeof *test_tasks;
