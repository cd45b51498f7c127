// SPDX-License-Identifier: MIT
//
// What a task may not: each attempt is a fault, which is reported, ends the task and nothing else.
// And what it cannot see: registers of another task. With protection only.
#include "harness.h"

enum task { MAIN_0, SECRET, SPY, FIRST_ATTEMPT };

enum cause { INSTRUCTION_ACCESS = 1, ILLEGAL = 2, LOAD_ACCESS = 5, STORE_ACCESS = 7 };

#define VALUE 0x5ec2e700u

OF_TASKS static volatile uint32_t seen;
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

// Fills all registers that C does not keep, and gp and tp, and lets the spy run.
static void keep_secret(void) {
    for (;;) {
        register uint32_t call __asm__("a7") = (uint32_t)NODES_CALL_YIELD << NODES_CALL_SHIFT;
        __asm__ volatile("li a0, 0\n"
                         "mv a1, %1\nmv a2, %1\nmv a3, %1\nmv a4, %1\nmv a5, %1\nmv a6, %1\n"
                         "mv t0, %1\nmv t1, %1\nmv t2, %1\nmv t3, %1\nmv t4, %1\nmv t5, %1\n"
                         "mv t6, %1\nmv gp, %1\nmv tp, %1\necall"
                         : "+r"(call)
                         : "r"(VALUE)
                         : "a0", "a1", "a2", "a3", "a4", "a5", "a6", "t0", "t1", "t2", "t3", "t4",
                           "t5", "t6", "memory");
    }
}

// All that a switch leaves in the registers.
static void spy(void) {
    for (;;) {
        uint32_t bits;
        __asm__ volatile("li a0, 0\nli a7, %1\necall\n"
                         "or a1, a1, a2\nor a1, a1, a3\nor a1, a1, a4\nor a1, a1, a5\n"
                         "or a1, a1, a6\nor a1, a1, a7\nor a1, a1, t0\nor a1, a1, t1\n"
                         "or a1, a1, t2\nor a1, a1, t3\nor a1, a1, t4\nor a1, a1, t5\n"
                         "or a1, a1, t6\nor a1, a1, gp\nor a1, a1, tp\nmv %0, a1"
                         : "=r"(bits)
                         : "i"(NODES_CALL_YIELD << NODES_CALL_SHIFT)
                         : "a0", "a1", "a2", "a3", "a4", "a5", "a6", "a7", "t0", "t1", "t2", "t3",
                           "t4", "t5", "t6", "memory");
        seen |= bits;
    }
}

static void main_0(void) {
    try_all();
    nodes_create(SECRET);
    nodes_create(SPY);
    for (int i = 0; i < 10; i++) {
        nodes_yield();
    }
    REQUIRE(seen == 0, "a task sees registers of another");
    test_print("well\n");
    test_pass();
}

const struct test_task test_tasks[] = {
    [MAIN_0] = {main_0, 10, 0},
    [SECRET] = {keep_secret, 10, 0},
    [SPY] = {spy, 10, 0},
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
