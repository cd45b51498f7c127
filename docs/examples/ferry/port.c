// SPDX-License-Identifier: MIT
//
// Implements the porting contract (bench/port.h) with Ferry.
//
// Ferry has two calls where the contract has one with a timeout: one that waits forever, and one
// that does not wait. A scenario uses other timeouts only if kernel.toml declares them.
#include "ferry.h"

#include <arch/interrupt.h>
#include <arch/tick.h>
#include <bench/interrupt_lines.h>
#include <bench/port.h>

enum { MAX_TASKS = 64, MAX_SEMAPHORES = 8, MAX_MUTEXES = 8, MAX_QUEUES = 4, QUEUE_WORDS = 64 };
enum { CONTEXT_BYTES = 256, STACKS_BYTES = 96 * 1024, TICK_PRIORITY = 0xFF };

static struct ferry_thread tasks[MAX_TASKS];
static struct ferry_semaphore semaphores[MAX_SEMAPHORES];
static struct ferry_mutex mutexes[MAX_MUTEXES];
static struct ferry_mailbox queues[MAX_QUEUES];

static enum bench_status available(bool result) {
    return result ? BENCH_OK : BENCH_TIMED_OUT;
}

// --- Tasks ---------------------------------------------------------------------------------------

void bench_task_yield(void) {
    ferry_yield();
}

// Service `suspend-self`: the task is the caller.
enum bench_status bench_task_suspend(struct bench_task task) {
    (void)task;
    ferry_suspend_self();
    return BENCH_OK;
}

enum bench_status bench_task_resume(struct bench_task task) {
    ferry_resume(&tasks[task.index]);
    return BENCH_OK;
}

void bench_task_delay(uint32_t ticks) {
    ferry_sleep_until(ferry_ticks() + ticks);
}

void bench_task_delay_until(uint32_t *wake, uint32_t period) {
    *wake += period;
    ferry_sleep_until(*wake);
}

struct bench_task bench_task_self(void) {
    return (struct bench_task){(uint32_t)(ferry_current - tasks)};
}

uint32_t bench_ticks(void) {
    return ferry_ticks();
}

// --- Objects -------------------------------------------------------------------------------------

enum bench_status bench_semaphore_take(struct bench_semaphore semaphore, uint32_t timeout_ticks) {
    if (timeout_ticks == BENCH_NO_WAIT) {
        return available(ferry_try_take(&semaphores[semaphore.index]));
    }
    ferry_take(&semaphores[semaphore.index]);
    return BENCH_OK;
}

enum bench_status bench_semaphore_give(struct bench_semaphore semaphore) {
    ferry_give(&semaphores[semaphore.index]);
    return BENCH_OK;
}

enum bench_status bench_mutex_lock(struct bench_mutex mutex, uint32_t timeout_ticks) {
    if (timeout_ticks == BENCH_NO_WAIT) {
        return available(ferry_try_lock(&mutexes[mutex.index]));
    }
    ferry_lock(&mutexes[mutex.index]);
    return BENCH_OK;
}

enum bench_status bench_mutex_unlock(struct bench_mutex mutex) {
    return ferry_unlock(&mutexes[mutex.index]) ? BENCH_OK : BENCH_REFUSED;
}

// A message is one word, because a mailbox copies nothing else; a sender never waits.
enum bench_status bench_queue_send(struct bench_queue queue, const void *message,
                                   uint32_t timeout_ticks) {
    (void)timeout_ticks;
    return available(ferry_post(&queues[queue.index], *(const uint32_t *)message));
}

enum bench_status bench_queue_receive(struct bench_queue queue, void *message,
                                      uint32_t timeout_ticks) {
    if (timeout_ticks == BENCH_NO_WAIT) {
        return available(ferry_try_fetch(&queues[queue.index], message));
    }
    *(uint32_t *)message = ferry_fetch(&queues[queue.index]);
    return BENCH_OK;
}

// --- Interrupts ----------------------------------------------------------------------------------

static uint32_t lines[BENCH_INTERRUPTS_MAX];
static uint32_t objects[BENCH_INTERRUPTS_MAX];

void bench_interrupt_trigger(struct bench_interrupt interrupt) {
    arch_interrupt_request(lines[interrupt.index]);
}

uint32_t bench_interrupt_line(struct bench_interrupt interrupt) {
    return lines[interrupt.index];
}

enum bench_status bench_semaphore_give_from_interrupt(struct bench_semaphore semaphore) {
    ferry_give_from_interrupt(&semaphores[semaphore.index]);
    return BENCH_OK;
}

enum bench_status bench_task_resume_from_interrupt(struct bench_task task) {
    ferry_resume_from_interrupt(&tasks[task.index]);
    return BENCH_OK;
}

static inline void interrupt_posts(uint32_t interrupt) {
    ferry_give_from_interrupt(&semaphores[objects[interrupt]]);
}

static inline void interrupt_resumes(uint32_t interrupt) {
    ferry_resume_from_interrupt(&tasks[objects[interrupt]]);
}

static inline void interrupt_calls(uint32_t interrupt) {
    bench_scenario.interrupts[interrupt].handler();
}

BENCH_HANDLERS_POST(interrupt_posts)
BENCH_HANDLERS_RESUME(interrupt_resumes)
BENCH_HANDLERS_CALL(interrupt_calls)

// --- Start ---------------------------------------------------------------------------------------

static void refuse_more_than_fits(void) {
    BENCH_REQUIRE(bench_scenario.task_count <= MAX_TASKS, "port: too many tasks declared");
    BENCH_REQUIRE(bench_scenario.semaphore_count <= MAX_SEMAPHORES,
                  "port: too many semaphores declared");
    BENCH_REQUIRE(bench_scenario.mutex_count <= MAX_MUTEXES, "port: too many mutexes declared");
    BENCH_REQUIRE(bench_scenario.queue_count <= MAX_QUEUES, "port: too many queues declared");
    BENCH_REQUIRE(bench_scenario.interrupt_count <= BENCH_INTERRUPTS_MAX,
                  "port: too many interrupts declared");
}

static void create_queue(size_t i) {
    static uint32_t words[MAX_QUEUES][QUEUE_WORDS];
    const struct bench_queue_declaration *declared = &bench_scenario.queues[i];
    BENCH_REQUIRE(declared->message_bytes == sizeof(uint32_t),
                  "port: a mailbox of Ferry has messages of one word");
    BENCH_REQUIRE(declared->capacity <= QUEUE_WORDS, "port: no memory for a mailbox");
    queues[i] = (struct ferry_mailbox){.words = words[i], .capacity = declared->capacity};
}

static void create_task(size_t i) {
    static uint8_t stacks[STACKS_BYTES];
    static size_t used;
    const struct bench_task_declaration *declared = &bench_scenario.tasks[i];
    BENCH_REQUIRE(declared->initially != BENCH_ABSENT, "port: Ferry's tasks exist at the start");
    used += CONTEXT_BYTES + declared->stack_bytes;
    BENCH_REQUIRE(used <= sizeof(stacks), "port: no memory for the tasks' stacks");
    ferry_create(&tasks[i], declared->priority - 1u, declared->entry, stacks + used,
                 declared->initially == BENCH_SUSPENDED);
}

static void bind_interrupt(size_t i) {
    BENCH_REQUIRE(bench_scenario.interrupts[i].action != BENCH_INTERRUPT_NOTIFIES,
                  "port: Ferry has no notifications");
    lines[i] = bench_interrupt_line_of(i);
    objects[i] = bench_scenario.interrupts[i].object;
    arch_interrupt_enable(lines[i]);
}

_Noreturn void bench_port_start(void) {
    refuse_more_than_fits();
    arch_interrupts_off(); // until the kernel runs
    for (size_t i = 0; i < bench_scenario.semaphore_count; i++) {
        semaphores[i].count = bench_scenario.semaphores[i].initial;
    }
    for (size_t i = 0; i < bench_scenario.queue_count; i++) {
        create_queue(i);
    }
    for (size_t i = 0; i < bench_scenario.task_count; i++) {
        create_task(i);
    }
    for (size_t i = 0; i < bench_scenario.interrupt_count; i++) {
        bind_interrupt(i);
    }
    arch_tick_start(BENCH_TICK_HZ, TICK_PRIORITY);
    ferry_start();
    for (;;) { // the idle thread
    }
}
