// SPDX-License-Identifier: MIT
//
// Tests interrupts of devices. The console of a node interrupts the node, and the kernel gives the
// semaphore whose number is in the console's scratch register. A task of this node or of the other
// node waits for the semaphore. The interrupt comes while the node runs a task, and while it waits.
// Built with devices/on. Runs in machine mode, because tasks write to the console.
#include "harness.h"

enum task { MAIN_0, MAIN_1, WAITER_0, WAITER_1 };
enum semaphore { TO_0, TO_1, BACK, OWN_0, OWN_1, FULL, TURN_1, DONE_1 };

#define ROUNDS 5
#define BYTE(address) (*(volatile uint8_t *)(address))
#define WORD(address) (*(volatile uint32_t *)(address))
#define INTERRUPT_ENABLE BYTE(0x10000001)
#define SCRATCH BYTE(0x10000007)
#define CLAIM WORD(0x0c200004)

static volatile uint32_t served;

void test_faulted(uint32_t task, uint32_t cause) {
    (void)task;
    (void)cause;
}

void nodes_devices_start(void) {
    WORD(0x0c000028) = 1;       // priority of interrupt source 10, the console
    WORD(0x0c002000) = 1 << 10; // enables source 10
}

uint32_t nodes_device(void) {
    const uint32_t source = CLAIM;
    if (source == 0) {
        return NODES_SEMAPHORES;
    }
    INTERRUPT_ENABLE = 0;
    CLAIM = source;
    served++;
    return SCRATCH;
}

// Requests the interrupt. It comes at once, and must change no register of the task.
static void request(uint32_t semaphore) {
    register uint32_t a0 __asm__("a0") = 0x5a17c0de;
    register uint32_t t0 __asm__("t0") = 0x0badcafe;
    const uint32_t before = served;
    SCRATCH = (uint8_t)semaphore;
    __asm__ volatile("sb %2, 0(%3)\n\tnop\n\tnop"
                     : "+r"(a0), "+r"(t0)
                     : "r"(2), "r"(&INTERRUPT_ENABLE)
                     : "memory");
    REQUIRE(a0 == 0x5a17c0de && t0 == 0x0badcafe, "an interrupt changes a register");
    REQUIRE(served == before + 1, "an interrupt does not come, or comes twice");
}

// Blocks before the interrupt is taken, so that it comes while the node waits.
static void request_and_wait(uint32_t semaphore) {
    const uint32_t before = served;
    __asm__ volatile("csrci mstatus, 8");
    SCRATCH = (uint8_t)semaphore;
    INTERRUPT_ENABLE = 2;
    REQUIRE(nodes_take(semaphore) == NODES_OK, "a take fails");
    __asm__ volatile("csrsi mstatus, 8");
    REQUIRE(served == before + 1, "a node that waits takes no interrupt, or takes it twice");
}

static void answer(uint32_t from) {
    for (;;) {
        nodes_take(from);
        nodes_give(BACK);
    }
}

static void wait_0(void) {
    answer(TO_0);
}

static void wait_1(void) {
    answer(TO_1);
}

static void wake(uint32_t waiter) {
    for (uint32_t round = 0; round < ROUNDS; round++) {
        request(waiter);
        nodes_take(BACK);
    }
}

static void test_limits(void) {
    nodes_semaphore_init(FULL, NODES_COUNT_MAX);
    request(FULL);
    request(NODES_SEMAPHORES);
    request(UINT8_MAX);
    for (uint32_t i = 0; i < NODES_COUNT_MAX; i++) {
        nodes_take(FULL);
    }
    REQUIRE(nodes_semaphore_init(FULL, 0) == NODES_OK, "a full semaphore is changed");
}

static void main_0(void) {
    nodes_create(WAITER_0);
    nodes_give(TURN_1);
    nodes_take(DONE_1);
    wake(TO_1);
    wake(TO_0);
    request_and_wait(OWN_0);
    test_limits();
    test_print("well\n");
    test_pass();
}

static void main_1(void) {
    nodes_create(WAITER_1);
    nodes_take(TURN_1);
    wake(TO_0);
    wake(TO_1);
    request_and_wait(OWN_1);
    request_and_wait(OWN_1);
    nodes_give(DONE_1);
}

const struct test_task test_tasks[] = {
    [MAIN_0] = TASK(main_0, 10, 0),
    [MAIN_1] = TASK(main_1, 10, 1),
    [WAITER_0] = TASK(wait_0, 12, 0),
    [WAITER_1] = TASK(wait_1, 8, 1),
};
const uint32_t test_task_count = sizeof test_tasks / sizeof *test_tasks;
