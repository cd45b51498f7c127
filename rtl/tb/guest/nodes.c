// SPDX-License-Identifier: MIT
//
// Tests the shared parts with all nodes at once: lock cells around a counter in global memory,
// doorbells with a word and with bits, and the RTU. In the RTU's test, node 0 and each other node
// wake each other in turn: a node signals a semaphore for which a task of the other node waits, and
// the RTU interrupts the other node to switch to this task.
#include "machine.h"

#define ROUNDS 25
#define HAND_OVERS 10
#define READY_BIT(node) (1u << (node))

// Global memory.
#define COUNTER GLOBAL[0]

static uint32_t me, nodes;

uint32_t trap(uint32_t cause, uint32_t pc) {
    (void)cause;
    REQUIRE(0, "unexpected trap");
    return pc;
}

static void count_under_lock(void) {
    for (int i = 0; i < ROUNDS; i++) {
        while (LOCK(5)) {
        }
        const uint32_t seen = COUNTER;
        for (volatile int wait = 0; wait < 3; wait++) {
        }
        COUNTER = seen + 1;
        LOCK(5) = 0;
    }
}

// Waits until the interrupt is pending; the program polls and never takes the interrupt.
static void wait_for(enum interrupt interrupt) {
    while (!(READ_CSR(mip) >> interrupt & 1)) {
    }
}

// Lets node 0 wait for a bit of each other node.
static void gather_bits(void) {
    uint32_t bits = 0;
    while (bits != READY_BIT(nodes) - 2) {
        bits |= BITS;
    }
}

// Each node rings node 0 with a word and a bit, and node 0 answers each node with its word plus
// one.
static void test_doorbells(void) {
    if (me != 0) {
        RING_WORD(0) = 100 * me;
        RING_BITS(0) = READY_BIT(me);
        wait_for(SOFTWARE);
        REQUIRE(PENDING == 1, "something else than a word of node 0 has come");
        REQUIRE(WORD_FROM(0) == 100 * me + 1, "the word of node 0 is wrong");
    }
    for (uint32_t node = 1; me == 0 && node < nodes; node++) {
        while (!(PENDING >> node & 1)) {
        }
        RING_WORD(node) = WORD_FROM(node) + 1;
    }
    if (me == 0) {
        gather_bits();
    }
    REQUIRE(PENDING == 0, "what was taken is still there");
}

// Makes one posted call and returns its answer.
static uint32_t posted(enum rtu_op op, uint32_t argument) {
    RTU(op, argument) = 0;
    return ANSWER;
}

static void test_rtu_alone(void) {
    REQUIRE(RTU(YIELD, 0) & RTU_ERROR, "a node without a task can yield");
    const uint32_t first = RTU_CREATED(RTU(CREATE, 10));
    const uint32_t second = RTU_CREATED(posted(CREATE, 10));
    REQUIRE(RTU_NEXT(RTU(NEXT, 0)) == first, "the elder of two equals does not run");
    REQUIRE(RTU_NEXT(posted(YIELD, 0)) == second, "yield does not go to the other");
    REQUIRE(RTU_NEXT(RTU(YIELD, 0)) == first, "yield does not come back");
    const uint32_t urgent = RTU_CREATED(RTU(CREATE, 20));
    REQUIRE(RTU_NEXT(ANSWER) == second, "the answer to the posted call was lost");
    REQUIRE(RTU_NEXT(RTU(EXIT, 0)) == first && urgent != first, "the urgent task has not gone");
    REQUIRE(RTU_NEXT(posted(EXIT, 0)) == second, "the second task does not run");
    REQUIRE(RTU(EXIT, 0) & RTU_NONE, "a task is left");
    REQUIRE(RTU(TAKE, 32) & RTU_ERROR, "there is a semaphore too many");
}

// Wakes the other node and waits to be woken: semaphore n wakes node n, semaphore 16 + n wakes node
// 0 again.
static void hand_over(uint32_t give, uint32_t take) {
    RTU(SIGNAL, give) = 0;
    REQUIRE(posted(TAKE, take) & RTU_NONE, "the taker did not have to wait");
    wait_for(EXTERNAL);
    REQUIRE(!(RTU(NEXT, 0) & RTU_NONE), "the taker was not woken");
}

static void test_baton(void) {
    RTU(CREATE, 5);
    if (me != 0) {
        REQUIRE(posted(TAKE, me) & RTU_NONE, "the baton is there too early");
        RING_BITS(0) = READY_BIT(me);
        wait_for(EXTERNAL);
        REQUIRE(!(posted(NEXT, 0) & RTU_NONE), "the baton has not come");
        for (int i = 1; i < HAND_OVERS; i++) {
            hand_over(16 + me, me);
        }
        RTU(SIGNAL, 16 + me) = 0;
    }
    if (me == 0) {
        gather_bits();
    }
    for (uint32_t node = 1; me == 0 && node < nodes; node++) {
        for (int i = 0; i < HAND_OVERS; i++) {
            hand_over(node, 16 + node);
        }
    }
    REQUIRE(!(RTU(EXIT, 0) & RTU_ERROR), "the task cannot end");
}

int main(uint32_t hart) {
    me = hart;
    nodes = NODES;
    REQUIRE(me < nodes && nodes <= 16, "the number of nodes is wrong");
    count_under_lock();
    test_doorbells();
    if (me == 0) {
        REQUIRE(COUNTER == nodes * ROUNDS, "the lock let two in");
        test_rtu_alone();
        for (uint32_t node = 1; node < nodes; node++) {
            RING_BITS(node) = 1;
        }
    } else {
        while (!BITS) {
        }
    }
    test_baton();
    print("node ");
    print_number(me);
    print(" of ");
    print_number(nodes);
    print(" is well\n");
    if (me != 0) {
        RING_BITS(0) = READY_BIT(me);
    } else {
        gather_bits(); // node 0 ends the run, so it is the last
    }
    PASS();
}
