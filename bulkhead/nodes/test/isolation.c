// SPDX-License-Identifier: MIT
//
// What a task may not: each attempt is a fault, which is reported, ends the task and nothing else.
// And what it cannot see: registers of another task. With protection only.
#include "harness.h"

enum task { MAIN_0, YIELDER, YIELD_SPY, GIVER, TAKE_SPY, SPINNER, DELAY_SPY, FIRST_ATTEMPT };
enum semaphore { MORE, SPIED };

#define ROUNDS 10

enum cause { INSTRUCTION_ACCESS = 1, ILLEGAL = 2, LOAD_ACCESS = 5, STORE_ACCESS = 7 };

#define VALUE 0x5ec2e700u

OF_TASKS static volatile uint32_t seen, looks;
static volatile uint32_t last_task, last_cause, faults; // the kernel's: no task may touch them

void test_faulted(uint32_t task, uint32_t cause) {
    last_task = task;
    last_cause = cause;
    faults++;
}

static void load(uint32_t address) {
    (void)*(volatile uint32_t *)address;
}

static void store(uint32_t address) {
    *(volatile uint32_t *)address = 0;
}

static void write_kernel(void) {
    store((uint32_t)&last_task);
}

static void read_kernel(void) {
    load((uint32_t)&last_task);
}

static void write_code(void) {
    store((uint32_t)&write_code);
}

static void write_node(void) {
    store((uint32_t)&nodes_self);
}

static void write_console(void) {
    store(0x10000000);
}

static void read_registers(void) {
    load(0x11000000);
}

static void write_kernels_global(void) {
    store(0x90000000);
}

static void take_cell(void) {
    load(0xa0000000);
}

static void ring(void) {
    store(0xb0000000);
}

static void call_unit(void) {
    store(0xc0000000);
}

static void set_timer(void) {
    store(0x02004000);
}

static void write_csr(void) {
    __asm__ volatile("csrw pmpcfg0, zero");
}

static void run_data(void) {
    ((void (*)(void))&seen)();
}

extern uint8_t tasks_data[], tasks_data_bytes[];

// The stack of the first task: stacks lie behind the data.
static void write_stack(void) {
    store((uint32_t)tasks_data + (uint32_t)tasks_data_bytes + 64);
}

static const enum cause causes[] = {
    STORE_ACCESS, LOAD_ACCESS,  STORE_ACCESS,       STORE_ACCESS, STORE_ACCESS,
    LOAD_ACCESS,  STORE_ACCESS, LOAD_ACCESS,        STORE_ACCESS, STORE_ACCESS,
    STORE_ACCESS, ILLEGAL,      INSTRUCTION_ACCESS, STORE_ACCESS,
};

// What the harness saw, asked for as a task must: by a request.
static void try_all(void) {
    for (uint32_t i = 0; i < sizeof causes / sizeof *causes; i++) {
        REQUIRE(nodes_create(FIRST_ATTEMPT + i) == NODES_OK, "an attempt does not begin");
        REQUIRE(test_ask((uint32_t)&faults) == i + 1, "an attempt is no fault");
        REQUIRE(test_ask((uint32_t)&last_task) == FIRST_ATTEMPT + i, "another task is blamed");
        REQUIRE(test_ask((uint32_t)&last_cause) == causes[i], "the fault is another one");
    }
}

// --- Registers of others -------------------------------------------------------------------------
// A switch comes by a call that lets others run, by one that blocks, by one that wakes, and by an
// interrupt.

#define FOR_EACH_REGISTER(instruction)                                     \
    ".irp name, a1,a2,a3,a4,a5,a6, t0,t1,t2,t3,t4,t5,t6, gp,tp, s0,s1,s2," \
    "s3,s4,s5,s6,s7,s8,s9,s10,s11\n" instruction "\n.endr\n"
#define FILL FOR_EACH_REGISTER("mv \\name, a7")
#define CLEAR FOR_EACH_REGISTER("li \\name, 0")
#define COLLECT FOR_EACH_REGISTER("or a7, a7, \\name")
#define CLOBBERED                                                                             \
    "a1", "a2", "a3", "a4", "a5", "a6", "t0", "t1", "t2", "t3", "t4", "t5", "t6", "s0", "s1", \
        "s2", "s3", "s4", "s5", "s6", "s7", "s8", "s9", "s10", "s11", "memory"

// Calls with the secret in all other registers.
#define CALL_WITH_SECRET(number, argument)                   \
    do {                                                     \
        register uint32_t a0 __asm__("a0") = (argument);     \
        register uint32_t a7 __asm__("a7") = VALUE;          \
        __asm__ volatile(FILL "li a7, %2\necall"             \
                         : "+r"(a0), "+r"(a7)                \
                         : "i"((number) << NODES_CALL_SHIFT) \
                         : CLOBBERED);                       \
    } while (0)

// Calls with nothing in the registers that it does not need. What is in any of them afterwards, but
// the result, was left by others.
static void call_and_spy(enum nodes_call number, uint32_t argument) {
    register uint32_t a0 __asm__("a0") = argument;
    register uint32_t a7 __asm__("a7") = (uint32_t)number << NODES_CALL_SHIFT;
    __asm__ volatile(CLEAR "ecall\n" COLLECT : "+r"(a0), "+r"(a7) : : CLOBBERED);
    seen |= a7;
    looks++;
}

static void yield_with_secret(void) {
    for (int i = 0; i < ROUNDS; i++) {
        CALL_WITH_SECRET(NODES_CALL_YIELD, 0);
    }
}

static void spy_by_yield(void) {
    for (int i = 0; i < ROUNDS; i++) {
        call_and_spy(NODES_CALL_YIELD, 0);
    }
}

// Its give lets the more urgent spy run, its take blocks.
static void give_with_secret(void) {
    for (;;) {
        CALL_WITH_SECRET(NODES_CALL_GIVE, MORE);
        CALL_WITH_SECRET(NODES_CALL_TAKE, SPIED);
    }
}

static void spy_by_take(void) {
    for (int i = 0; i < ROUNDS; i++) {
        call_and_spy(NODES_CALL_TAKE, MORE);
        nodes_give(SPIED);
    }
}

static void spin_with_secret(void) {
    register uint32_t a7 __asm__("a7") = VALUE;
    __asm__ volatile(FILL "0: j 0b" : "+r"(a7) : : CLOBBERED);
}

static void spy_by_delay(void) {
    for (int i = 0; i < ROUNDS; i++) {
        call_and_spy(NODES_CALL_DELAY, 1);
    }
}

static void main_0(void) {
    try_all();
    nodes_create(YIELDER);
    nodes_create(YIELD_SPY);
    for (int i = 0; i <= ROUNDS; i++) {
        nodes_yield();
    }
    nodes_create(TAKE_SPY);
    nodes_create(GIVER);
    nodes_create(DELAY_SPY);
    nodes_create(SPINNER);
    nodes_delay(2 * ROUNDS);
    REQUIRE(looks == 3 * ROUNDS, "a spy has not come to look");
    REQUIRE(seen == 0, "a task sees registers of another");
    test_print("well\n");
    test_pass();
}

const struct test_task test_tasks[] = {
    [MAIN_0] = {main_0, 10, 0},
    [YIELDER] = {yield_with_secret, 10, 0},
    [YIELD_SPY] = {spy_by_yield, 10, 0},
    [GIVER] = {give_with_secret, 14, 0},
    [TAKE_SPY] = {spy_by_take, 15, 0},
    [SPINNER] = {spin_with_secret, 9, 0},
    [DELAY_SPY] = {spy_by_delay, 16, 0},
    // In the order of `causes`.
    {write_kernel, 20, 0},
    {read_kernel, 20, 0},
    {write_code, 20, 0},
    {write_node, 20, 0},
    {write_console, 20, 0},
    {read_registers, 20, 0},
    {write_kernels_global, 20, 0},
    {take_cell, 20, 0},
    {ring, 20, 0},
    {call_unit, 20, 0},
    {set_timer, 20, 0},
    {write_csr, 20, 0},
    {run_data, 20, 0},
    {write_stack, 20, 0},
};
const uint32_t test_task_count = sizeof test_tasks / sizeof *test_tasks;
