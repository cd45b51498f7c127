// SPDX-License-Identifier: MIT
//
// Implements the porting contract (bench/port.h) with Relay.
#include "relay.h"

#include <arch/interrupt.h>
#include <arch/tick.h>
#include <bench/interrupt_lines.h>
#include <bench/port.h>

enum { MAX_SEMAPHORES = 8, CONTEXT_BYTES = 256, STACKS_BYTES = 96 * 1024, TICK_PRIORITY = 0xFF };

static struct relay_task tasks[RELAY_TASKS];
static struct relay_semaphore semaphores[MAX_SEMAPHORES];

// --- Services ------------------------------------------------------------------------------------

void bench_task_yield(void) {
    relay_yield();
}

void bench_task_delay(uint32_t ticks) {
    relay_delay(ticks);
}

struct bench_task bench_task_self(void) {
    return (struct bench_task){(uint32_t)(relay_current - tasks)};
}

uint32_t bench_ticks(void) {
    return relay_ticks();
}

enum bench_status bench_semaphore_take(struct bench_semaphore semaphore, uint32_t timeout_ticks) {
    return relay_take(&semaphores[semaphore.index], timeout_ticks) ? BENCH_OK : BENCH_TIMED_OUT;
}

enum bench_status bench_semaphore_give(struct bench_semaphore semaphore) {
    return relay_give(&semaphores[semaphore.index]) ? BENCH_OK : BENCH_REFUSED;
}

// --- Interrupts ----------------------------------------------------------------------------------

static uint32_t lines[BENCH_INTERRUPTS_MAX];
static uint32_t objects[BENCH_INTERRUPTS_MAX];

void bench_interrupt_trigger(struct bench_interrupt interrupt) {
    arch_interrupt_request(lines[interrupt.index]);
}

static inline void interrupt_posts(uint32_t interrupt) {
    relay_give(&semaphores[objects[interrupt]]);
}

BENCH_HANDLERS_POST(interrupt_posts)

// --- Start ---------------------------------------------------------------------------------------

static void create_task(size_t i) {
    static uint8_t stacks[STACKS_BYTES];
    static size_t used;
    const struct bench_task_declaration *declared = &bench_scenario.tasks[i];
    BENCH_REQUIRE(declared->initially == BENCH_READY, "port: Relay's tasks all start ready");
    used += CONTEXT_BYTES + declared->stack_bytes;
    BENCH_REQUIRE(used <= sizeof(stacks), "port: no memory for the tasks' stacks");
    relay_create(&tasks[i], declared->priority, declared->entry, stacks + used);
}

static void bind_interrupt(size_t i) {
    BENCH_REQUIRE(bench_scenario.interrupts[i].action == BENCH_INTERRUPT_POSTS,
                  "port: Relay's interrupts post a semaphore");
    lines[i] = bench_interrupt_line_of(i);
    objects[i] = bench_scenario.interrupts[i].object;
    arch_interrupt_enable(lines[i]);
}

_Noreturn void bench_port_start(void) {
    BENCH_REQUIRE(bench_scenario.task_count <= RELAY_TASKS, "port: too many tasks declared");
    BENCH_REQUIRE(bench_scenario.semaphore_count <= MAX_SEMAPHORES,
                  "port: too many semaphores declared");
    arch_interrupts_off(); // until the kernel runs
    for (size_t i = 0; i < bench_scenario.semaphore_count; i++) {
        const struct bench_semaphore_declaration *declared = &bench_scenario.semaphores[i];
        semaphores[i] = (struct relay_semaphore){declared->initial, declared->maximum};
    }
    for (size_t i = 0; i < bench_scenario.task_count; i++) {
        create_task(i);
    }
    for (size_t i = 0; i < bench_scenario.interrupt_count; i++) {
        bind_interrupt(i);
    }
    arch_tick_start(BENCH_TICK_HZ, TICK_PRIORITY);
    relay_start();
}
