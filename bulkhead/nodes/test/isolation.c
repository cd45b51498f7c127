// SPDX-License-Identifier: MIT
//
// Tests the isolation of tasks. Each forbidden access is a fault, which is reported and ends only
// the task that made it. No task sees register values of another task. Calls with arbitrary
// register values cause no fault and change nothing that must not change. With protection only.
#include "harness.h"
#include <bulkhead/nodes_bus.h>

enum task {
    MAIN_0,
    MAIN_1,
    YIELDER,
    YIELD_SPY,
    GIVER,
    TAKE_SPY,
    SPINNER,
    DELAY_SPY,
    CALLER_0,
    CALLER_1,
    FIRST_ATTEMPT
};
enum semaphore { MORE, SPIED };

#define ROUNDS 10

// The nodes attack one after another, so that no other node takes a count that `attack` gives.
#define TURN (*(volatile uint32_t *)NODES_WINDOW_FREE)
enum turn { NODE_0, NODE_1, OVER };

enum cause { INSTRUCTION_ACCESS = 1, ILLEGAL = 2, LOAD_ACCESS = 5, STORE_ACCESS = 7 };

#define VALUE 0x5ec2e700u

OF_TASKS static volatile uint32_t seen, looks;
OF_TASKS static volatile bool spoiled;
OF_TASKS_APART static volatile uint32_t apart;
// data of the kernel, which no task may access
static volatile uint32_t last_task, last_cause, faults;

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

static void read_csr(void) {
    __asm__ volatile("csrr a0, pmpcfg0" : : : "a0");
}

static void run_data(void) {
    ((void (*)(void))&seen)();
}

extern uint8_t tasks_data[], tasks_data_bytes[];

// Writes the stack of the first task: stacks lie after the data.
static void write_stack(void) {
    store((uint32_t)tasks_data + (uint32_t)tasks_data_bytes + 64);
}

// The four attempts on data of another task: two by a task that has the common data on the data of
// single tasks, and two in the other direction. A task may write its own data.
static void write_apart(void) {
    looks = 0;
    store((uint32_t)&apart);
}

static void read_apart(void) {
    load((uint32_t)&apart);
}

static void write_from_apart(void) {
    apart++;
    store((uint32_t)&seen);
}

static void read_from_apart(void) {
    apart++;
    load((uint32_t)&seen);
}

static const enum cause causes[] = {
    STORE_ACCESS, LOAD_ACCESS,  STORE_ACCESS, STORE_ACCESS,       STORE_ACCESS,
    LOAD_ACCESS,  STORE_ACCESS, LOAD_ACCESS,  STORE_ACCESS,       STORE_ACCESS,
    STORE_ACCESS, ILLEGAL,      ILLEGAL,      INSTRUCTION_ACCESS, STORE_ACCESS,
    STORE_ACCESS, LOAD_ACCESS,  STORE_ACCESS, LOAD_ACCESS,
};

// Checks the harness's record of the faults, which a task reads by a request.
static void try_all(void) {
    const uint32_t before = test_ask((uint32_t)&faults);
    const uint32_t written = test_ask((uint32_t)&apart);
    for (uint32_t i = 0; i < sizeof causes / sizeof *causes; i++) {
        REQUIRE(nodes_create(FIRST_ATTEMPT + i) == NODES_OK, "an attempt does not begin");
        REQUIRE(test_ask((uint32_t)&faults) == before + i + 1, "an attempt is no fault");
        REQUIRE(test_ask((uint32_t)&last_task) == FIRST_ATTEMPT + i, "another task is blamed");
        REQUIRE(test_ask((uint32_t)&last_cause) == causes[i], "the fault is another one");
    }
    REQUIRE(test_ask((uint32_t)&apart) == written + 2, "a task apart has not its own data");
}

// --- Registers of others -------------------------------------------------------------------------
// A task fills its registers with a secret, another task looks for it after a switch. The switch
// comes with a yield, with a call that blocks, with a call that wakes, and with an interrupt.

#define FOR_EACH_REGISTER(instruction)                                     \
    ".irp name, a1,a2,a3,a4,a5,a6, t0,t1,t2,t3,t4,t5,t6, gp,tp, s0,s1,s2," \
    "s3,s4,s5,s6,s7,s8,s9,s10,s11\n" instruction "\n.endr\n"
#define FILL FOR_EACH_REGISTER("mv \\name, a7")
#define CLEAR FOR_EACH_REGISTER("li \\name, 0")
#define COLLECT FOR_EACH_REGISTER("or a7, a7, \\name")
#define CLOBBERED                                                                             \
    "a1", "a2", "a3", "a4", "a5", "a6", "t0", "t1", "t2", "t3", "t4", "t5", "t6", "s0", "s1", \
        "s2", "s3", "s4", "s5", "s6", "s7", "s8", "s9", "s10", "s11", "memory"

// Makes a call with the secret in all other registers.
#define CALL_WITH_SECRET(number, argument)                   \
    do {                                                     \
        register uint32_t a0 __asm__("a0") = (argument);     \
        register uint32_t a7 __asm__("a7") = VALUE;          \
        __asm__ volatile(FILL "li a7, %2\necall"             \
                         : "+r"(a0), "+r"(a7)                \
                         : "i"((number) << NODES_CALL_SHIFT) \
                         : CLOBBERED);                       \
    } while (0)

// Makes a call with 0 in the registers that it does not need. A register other than the result that
// is not 0 afterwards holds a value of another task.
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

// Gives a semaphore, which lets the more urgent spy task run, and takes another, which blocks; both
// with the secret in all other registers.
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

// Gives each register a number of its own. The loop tests the registers until one has changed: an
// interrupt must preserve all of them, except gp and tp, which tasks must not use.
#define EACH_OF_ITS_OWN(instructions)                                               \
    ".set number, 0\n.irp name, a1,a2,a3,a4,a5,a6, t0,t1,t2,t3,t4,t5,t6, s0,s1,s2," \
    "s3,s4,s5,s6,s7,s8,s9,s10,s11\n.set number, number + 1\n" instructions "\n.endr\n"

static void spin_with_secret(void) {
    register uint32_t a7 __asm__("a7") = VALUE;
    __asm__ volatile(EACH_OF_ITS_OWN("addi \\name, a7, number") "0:" EACH_OF_ITS_OWN(
                         "addi a0, a7, number\nbne a0, \\name, 1f") "j 0b\n1:"
                     : "+r"(a7)
                     :
                     : "a0", CLOBBERED);
    spoiled = true;
}

static void spy_by_delay(void) {
    for (int i = 0; i < ROUNDS; i++) {
        call_and_spy(NODES_CALL_DELAY, 1);
    }
}

// --- Calls with anything -------------------------------------------------------------------------

// Arguments, and values of the lower half of a7, below the number of the call.
static const uint32_t interesting[] = {
    0,          1,          2,          3,          31,         32,         63,
    64,         0xff,       0x100,      0x7fff,     0x8000,     0xffff,     0x10000,
    0x3ffff,    0x40000,    0x50000,    0x60000,    0xa0000,    0x3fffff,   0x400000,
    0x40000000, 0x7fffffff, 0x80000000, 0xffffffff, 0xfffffffe, 0xfffffffc, 0x90000000,
};

#define INTERESTING (sizeof interesting / sizeof *interesting)
#define CALLS_AT_RANDOM 60
#define TRIES 3
#define LONG 10 // a number of ticks, during which less urgent tasks run

OF_TASKS static uint32_t attack_a7, attack_a0, drawn;

static uint32_t draw(void) {
    drawn ^= drawn << 13;
    drawn ^= drawn >> 17;
    drawn ^= drawn << 5;
    return drawn;
}

static uint32_t draw_interesting(void) {
    return interesting[draw() % INTERESTING];
}

static void call_with_anything(void) {
    register uint32_t a0 __asm__("a0") = attack_a0;
    register uint32_t a1 __asm__("a1") = draw();
    register uint32_t a2 __asm__("a2") = draw();
    register uint32_t a3 __asm__("a3") = draw();
    register uint32_t a4 __asm__("a4") = draw();
    register uint32_t a5 __asm__("a5") = draw();
    register uint32_t a6 __asm__("a6") = draw();
    register uint32_t a7 __asm__("a7") = attack_a7;
    __asm__ volatile("ecall"
                     : "+r"(a0), "+r"(a1), "+r"(a2), "+r"(a3), "+r"(a4), "+r"(a5), "+r"(a6),
                       "+r"(a7)
                     :
                     : "t0", "t1", "t2", "t3", "t4", "t5", "t6", "memory");
}

// Returns whether a call is valid and has an effect that would disturb the test: a long delay, the
// start of another task, or a request to the harness.
static bool has_effect(uint32_t call, uint32_t argument) {
    return (call == NODES_CALL_DELAY && argument <= UINT16_MAX) ||
           (call == NODES_CALL_CREATE && argument < NODES_MAX_TASKS) ||
           (call == NODES_CALL_REQUEST && argument <= UINT16_MAX);
}

// Makes a call from a task that ends after the call. If the call lowers the task's priority, the
// task ends later, when it runs again. First gives the semaphores that the call may take, so that
// the task does not wait.
static void attack(uint32_t caller, uint32_t a7, uint32_t a0) {
    const uint32_t sum = a7 + a0;
    if (has_effect(a7 >> NODES_CALL_SHIFT & (NODES_CALLS - 1), a0)) {
        return;
    }
    attack_a7 = a7;
    attack_a0 = a0;
    nodes_give(a0 % NODES_SEMAPHORES);
    nodes_give(sum % NODES_SEMAPHORES);
    for (uint32_t tries = 0; nodes_create(caller) != NODES_OK; tries++) {
        REQUIRE(tries < TRIES, "a task does not end after its call");
        nodes_delay(LONG);
    }
}

static void attack_with_all(uint32_t caller) {
    for (uint32_t call = 0; call <= NODES_CALL_INIT; call++) {
        for (uint32_t i = 0; i < INTERESTING; i++) {
            attack(caller, call << NODES_CALL_SHIFT, interesting[i]);
        }
    }
    for (uint32_t call = 0; call < NODES_CALLS; call++) {
        attack(caller, call, 0); // a7 with no call number in its upper half
        attack(caller, call << NODES_CALL_SHIFT | (draw_interesting() & 0xffff), 0);
        attack(caller, call << NODES_CALL_SHIFT | draw_interesting(), draw_interesting());
        attack(caller, ~call, draw_interesting());
    }
    for (uint32_t i = 0; i < CALLS_AT_RANDOM; i++) {
        attack(caller, draw(), i % 2 ? draw() : draw_interesting());
    }
}

// Checks that none of the calls is a fault, of a task or of the kernel.
static void attack_by_calls(uint32_t caller) {
    const uint32_t state = test_state(), before = test_ask((uint32_t)&faults);
    drawn = 2463534242u;
    attack_with_all(caller);
    REQUIRE(test_state() == state, "a call changes what nobody may");
    REQUIRE(test_ask((uint32_t)&faults) == before, "a call is a fault");
}

static void wait_for_turn(enum turn turn) {
    while (TURN != turn) {
        nodes_delay(LONG);
    }
}

static void main_1(void) {
    wait_for_turn(NODE_1);
    attack_by_calls(CALLER_1);
    TURN = OVER;
}

static void attack_on_both_nodes(void) {
    attack_by_calls(CALLER_0);
    TURN = NODE_1;
    wait_for_turn(OVER);
    nodes_semaphore_init(MORE, 0);
    nodes_semaphore_init(SPIED, 0);
}

static void main_0(void) {
    try_all();
    attack_on_both_nodes();
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
    REQUIRE(!spoiled, "an interrupt spoils a register");
    test_pass_by_kernel_fault();
}

const struct test_task test_tasks[] = {
    [MAIN_0] = TASK(main_0, 10, 0),
    [MAIN_1] = TASK(main_1, 10, 1),
    [YIELDER] = TASK(yield_with_secret, 10, 0),
    [YIELD_SPY] = TASK(spy_by_yield, 10, 0),
    [GIVER] = TASK(give_with_secret, 14, 0),
    [TAKE_SPY] = TASK(spy_by_take, 15, 0),
    [SPINNER] = TASK(spin_with_secret, 9, 0),
    [DELAY_SPY] = TASK(spy_by_delay, 16, 0),
    [CALLER_0] = TASK(call_with_anything, 20, 0),
    [CALLER_1] = TASK(call_with_anything, 20, 1),
    // These tasks are in the same order as `causes`.
    TASK(write_kernel, 20, 0),
    TASK(read_kernel, 20, 0),
    TASK(write_code, 20, 0),
    TASK(write_node, 20, 0),
    TASK(write_console, 20, 0),
    TASK(read_registers, 20, 0),
    TASK(write_kernels_global, 20, 0),
    TASK(take_cell, 20, 0),
    TASK(ring, 20, 0),
    TASK(call_unit, 20, 0),
    TASK(set_timer, 20, 0),
    TASK(write_csr, 20, 0),
    TASK(read_csr, 20, 0),
    TASK(run_data, 20, 0),
    TASK(write_stack, 20, 0),
    TASK(write_apart, 20, 0),
    TASK(read_apart, 20, 0),
    TASK_APART(write_from_apart, 20, 0),
    TASK_APART(read_from_apart, 20, 0),
};
const uint32_t test_task_count = sizeof test_tasks / sizeof *test_tasks;
