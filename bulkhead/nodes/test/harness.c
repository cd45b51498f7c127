// SPDX-License-Identifier: MIT
//
// Functions that the test programs of several nodes share: harness.h has the interface.
#include "harness.h"
#include "scheduler.h"

#define STACK_BYTES 512
#define TICK_CYCLES 640
#define CONSOLE (*(volatile uint8_t *)0x10000000)
#define FINISHER (*(volatile uint32_t *)0x00100000)

// Requests of tasks to the kernel. A request is a number, so that the kernel reads no memory of the
// tasks: a character to print, one of these values, or the address of a word to read. Other numbers
// have no effect.
enum request { PASS = 0x100, FAIL, STATE, FAULT };

#define CHARACTERS 0x100
#define MEMORY 0x80000000u
#define MEMORY_BYTES 0x100000u

static uint8_t stacks[NODES_MAX_TASKS][STACK_BYTES]
    __attribute__((aligned(STACK_BYTES), section(".tasks.stacks")));
static struct nodes_task tasks[NODES_MAX_TASKS];
static struct nodes_system declared;

// Defined in the linker script.
extern uint8_t tasks_data[], tasks_data_bytes[], tasks_apart[];
extern const uint32_t nodes_text[], nodes_text_end[];

void test_print(const char *text) {
    while (*text) {
        nodes_request((uint8_t)*text++);
    }
}

void test_print_number(uint32_t number) {
    char digits[12] = " ";
    int place = 11;
    do {
        digits[--place] = (char)('0' + number % 10);
    } while (number /= 10);
    test_print(&digits[place]);
}

uint32_t test_ask(uint32_t address) {
    return nodes_request(address);
}

uint32_t test_state(void) {
    return nodes_request(STATE);
}

_Noreturn static void end(enum request request) {
    for (;;) {
        nodes_request(request);
    }
}

_Noreturn void test_pass(void) {
    end(PASS);
}

_Noreturn void test_fail(const char *reason) {
    test_print("FAIL: ");
    test_print(reason);
    test_print("\n");
    end(FAIL);
}

_Noreturn void test_pass_by_kernel_fault(void) {
    end(FAULT);
}

// --- In machine mode -----------------------------------------------------------------------------

static void write(const char *text) {
    while (*text) {
        CONSOLE = (uint8_t)*text++;
    }
}

static uint32_t sum(const void *words, const void *end) {
    uint32_t result = 0;
    for (const uint32_t *word = words; word != end; word++) {
        result = (result << 1 | result >> 31) ^ *word;
    }
    return result;
}

static uint32_t state(void) {
    uint32_t entries, text, window;
    __asm__("csrr %0, pmpcfg0" : "=r"(entries));
    __asm__("csrr %0, pmpaddr0" : "=r"(text));
    __asm__("csrr %0, pmpaddr1" : "=r"(window));
    return sum(nodes_text, nodes_text_end) ^ sum(calls, calls + NODES_CALLS) ^ entries ^ text ^
           window;
}

static bool fault_is_asked_for;

static uint32_t serve(uint32_t argument) {
    if (argument < CHARACTERS) {
        CONSOLE = (uint8_t)argument;
        return 0;
    }
    switch (argument) {
    case PASS:
        FINISHER = 0x5555;
        return 0;
    case FAIL:
        FINISHER = 0x3333 | 1 << 16;
        return 0;
    case STATE:
        return state();
    case FAULT:
        fault_is_asked_for = true;
        return *(volatile uint32_t *)0xf0000000; // no memory at this address: faults in the kernel
    }
    return argument - MEMORY < MEMORY_BYTES && argument % 4 == 0 ? *(volatile uint32_t *)argument
                                                                 : 0;
}

static void stopped(const char *reason) {
    if (fault_is_asked_for) {
        write("well\n");
        FINISHER = 0x5555;
    }
    write("FAIL: ");
    write(reason);
    write("\n");
    FINISHER = 0x3333 | 1 << 16;
}

static void faulted(uint32_t task, uint32_t cause, uint32_t pc) {
    (void)pc;
    test_faulted(task, cause);
}

_Noreturn void test_main(void);
_Noreturn void test_main(void) {
    for (uint32_t i = 0; i < test_task_count; i++) {
        tasks[i] = (struct nodes_task){
            .entry = test_tasks[i].entry,
            .stack = stacks[i],
            .stack_bytes = STACK_BYTES,
            .data = test_tasks[i].apart ? tasks_apart : tasks_data,
            .data_bytes = (uint32_t)tasks_data_bytes,
            .priority = test_tasks[i].priority,
            .node = test_tasks[i].node,
        };
    }
    declared = (struct nodes_system){
        .tasks = tasks,
        .task_count = test_task_count,
        .tick_cycles = TICK_CYCLES,
        .faulted = faulted,
        .stopped = stopped,
        .request = serve,
    };
    nodes_start(&declared);
}
