// SPDX-License-Identifier: MIT
//
// Functions that the test programs share: to declare tasks, to print, and to end the run.
#ifndef HARNESS_H
#define HARNESS_H

#include <bulkhead/nodes.h>
#include <stdbool.h>

// Sections for memory that all tasks of a node may write, and for memory of single tasks. All other
// memory is the kernel's.
#define OF_TASKS __attribute__((section(".tasks.data")))
#define OF_TASKS_APART __attribute__((section(".tasks.apart")))

struct test_task {
    void (*entry)(void);
    uint8_t priority;
    uint8_t node;
    bool apart;
};

#define TASK(task_entry, task_priority, task_node) \
    {.entry = (task_entry), .priority = (task_priority), .node = (task_node)}
#define TASK_APART(task_entry, task_priority, task_node) \
    {.entry = (task_entry), .priority = (task_priority), .node = (task_node), .apart = true}

// The tasks, which each test program defines. The first task of node 0 ends the run.
extern const struct test_task test_tasks[];
extern const uint32_t test_task_count;

// Called in machine mode when a task has faulted.
void test_faulted(uint32_t task, uint32_t cause);

// Returns a word of the kernel's memory.
uint32_t test_ask(uint32_t address);

// Returns a checksum of everything that must not change: code, constants, the table of calls, and
// the entries of the protection unit.
uint32_t test_state(void);

void test_print(const char *text);
void test_print_number(uint32_t number);
_Noreturn void test_fail(const char *reason);
_Noreturn void test_pass(void);

// Makes the test pass if a fault of the kernel then stops the node. With protection only.
_Noreturn void test_pass_by_kernel_fault(void);

#define REQUIRE(condition, reason) \
    do {                           \
        if (!(condition)) {        \
            test_fail(reason);     \
        }                          \
    } while (0)

// Returns the counter of cycles (mcycle); in machine mode only.
static inline uint32_t test_cycles(void) {
    uint32_t cycles;
    __asm__ volatile("csrr %0, mcycle" : "=r"(cycles)::"memory");
    return cycles;
}

#endif
