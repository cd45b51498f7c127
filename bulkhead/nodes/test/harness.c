// SPDX-License-Identifier: MIT
//
// See harness.h.
#include "harness.h"

#define STACK_BYTES 512
#define TICK_CYCLES 640
#define CONSOLE (*(volatile uint8_t *)0x10000000)
#define FINISHER (*(volatile uint32_t *)0x00100000)

struct request {
    enum { PRINT, END, READ } what;
    union {
        const char *text;
        uint32_t word, address;
    };
};

static uint8_t stacks[NODES_MAX_TASKS][STACK_BYTES]
    __attribute__((aligned(STACK_BYTES), section(".tasks.stacks")));
static struct nodes_task tasks[NODES_MAX_TASKS];
static struct nodes_system declared;

extern uint8_t tasks_data[], tasks_data_bytes[]; // from the linker script

void test_print(const char *text) {
    const struct request request = {.what = PRINT, .text = text};
    nodes_request((uint32_t)&request);
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
    const struct request request = {.what = READ, .address = address};
    return nodes_request((uint32_t)&request);
}

_Noreturn static void end(uint32_t word) {
    const struct request request = {.what = END, .word = word};
    for (;;) {
        nodes_request((uint32_t)&request);
    }
}

_Noreturn void test_pass(void) {
    end(0x5555);
}

_Noreturn void test_fail(const char *reason) {
    test_print("FAIL: ");
    test_print(reason);
    test_print("\n");
    end(0x3333 | 1 << 16);
}

static uint32_t serve(uint32_t argument) {
    const struct request *request = (const struct request *)argument;
    switch (request->what) {
    case PRINT:
        for (const char *text = request->text; *text; text++) {
            CONSOLE = (uint8_t)*text;
        }
        return 0;
    case END:
        FINISHER = request->word;
        return 0;
    case READ:
        return *(volatile uint32_t *)request->address;
    }
    return 0;
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
            .data = tasks_data,
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
        .request = serve,
    };
    nodes_start(&declared);
}
