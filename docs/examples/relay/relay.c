// SPDX-License-Identifier: MIT
//
// Relay's tasks, tick and semaphores. They access shared data only while interrupts are disabled.
// PendSV, the exception of lowest priority, switches (switch.S) after all other handlers are done.
#include "relay.h"

#include <stddef.h>

#define ICSR (*(volatile uint32_t *)0xE000ED04u)
#define ICSR_PENDSVSET (1u << 28)
#define PENDSV_PRIORITY (*(volatile uint8_t *)0xE000ED22u)

enum { FRAME_WORDS = 16, FRAME_PC = 14, FRAME_XPSR = 15, XPSR_THUMB = 1 << 24 };

void relay_enter(void *sp); // switch.S
struct relay_task *relay_choose(void);

static struct relay_task idle = {.priority = UINT32_MAX, .ready = true};
static struct relay_task *tasks[RELAY_TASKS + 1] = {&idle};
static uint32_t task_count = 1, turns, ticks;
struct relay_task *relay_current = &idle;

static uint32_t interrupts_off(void) {
    uint32_t before;
    __asm__ volatile("mrs %0, primask\n\tcpsid i" : "=r"(before)::"memory");
    return before;
}

static void interrupts_as(uint32_t before) {
    __asm__ volatile("msr primask, %0\n\tisb" ::"r"(before) : "memory");
}

static void request_switch(void) {
    ICSR = ICSR_PENDSVSET;
}

// Returns the task of highest priority that waits for `awaited`, or that is ready if `awaited` is
// NULL; of equal tasks, the one that waited longest.
static struct relay_task *highest(const struct relay_semaphore *awaited) {
    struct relay_task *best = NULL;
    for (uint32_t i = 0; i < task_count; i++) {
        struct relay_task *const task = tasks[i];
        const bool candidate = awaited ? task->awaited == awaited : task->ready;
        const bool better =
            !best || task->priority < best->priority ||
            (task->priority == best->priority && (int32_t)(task->turn - best->turn) < 0);
        if (candidate && better) {
            best = task;
        }
    }
    return best;
}

static void make_ready(struct relay_task *task, bool timed_out) {
    task->ready = true;
    task->sleeps = false;
    task->timed_out = timed_out;
    task->awaited = NULL;
    task->turn = ++turns;
    request_switch();
}

static void block(const struct relay_semaphore *awaited, uint32_t timeout_ticks) {
    relay_current->ready = false;
    relay_current->awaited = awaited;
    relay_current->sleeps = timeout_ticks != RELAY_FOREVER;
    relay_current->wake_tick = ticks + timeout_ticks;
    relay_current->turn = ++turns;
    request_switch();
}

void relay_create(struct relay_task *task, uint32_t priority, void (*entry)(void),
                  void *stack_end) {
    uint32_t *const frame = (uint32_t *)((uintptr_t)stack_end & ~(uintptr_t)7) - FRAME_WORDS;
    frame[FRAME_PC] = (uintptr_t)entry;
    frame[FRAME_XPSR] = XPSR_THUMB;
    *task = (struct relay_task){.sp = frame, .priority = priority};
    tasks[task_count++] = task;
    make_ready(task, false);
}

_Noreturn void relay_start(void) {
    static uint64_t idle_stack[32];
    PENDSV_PRIORITY = 0xFF;
    relay_enter(idle_stack + 32); // the start-up code continues as the idle task
    for (;;) {
        __asm__ volatile("wfi");
    }
}

// Chooses the next task. PendSV calls it while interrupts are disabled.
struct relay_task *relay_choose(void) {
    relay_current = highest(NULL);
    return relay_current;
}

void relay_tick(void) {
    const uint32_t before = interrupts_off();
    ticks++;
    for (uint32_t i = 0; i < task_count; i++) {
        if (tasks[i]->sleeps && tasks[i]->wake_tick == ticks) {
            make_ready(tasks[i], true);
        }
    }
    interrupts_as(before);
}

uint32_t relay_ticks(void) {
    return *(volatile uint32_t *)&ticks;
}

void relay_yield(void) {
    const uint32_t before = interrupts_off();
    relay_current->turn = ++turns;
    request_switch();
    interrupts_as(before);
}

void relay_delay(uint32_t ticks_to_sleep) {
    const uint32_t before = interrupts_off();
    block(NULL, ticks_to_sleep);
    interrupts_as(before);
}

bool relay_take(struct relay_semaphore *semaphore, uint32_t timeout_ticks) {
    const uint32_t before = interrupts_off();
    const bool taken = semaphore->count != 0;
    const bool waits = !taken && timeout_ticks != 0;
    semaphore->count -= taken;
    if (waits) {
        block(semaphore, timeout_ticks);
    }
    interrupts_as(before);
    return taken || (waits && !relay_current->timed_out);
}

bool relay_give(struct relay_semaphore *semaphore) {
    const uint32_t before = interrupts_off();
    struct relay_task *const waiter = highest(semaphore);
    const bool room = waiter || semaphore->count < semaphore->maximum;
    if (waiter) {
        make_ready(waiter, false);
    } else {
        semaphore->count += room;
    }
    interrupts_as(before);
    return room;
}
