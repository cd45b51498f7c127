// SPDX-License-Identifier: MIT
//
// Shared by the worst-case scenarios: call one service again and again, and pend an interrupt that
// wakes a waiting task one instruction later each time, until the service returns before the
// interrupt.
//
// Each injected call starts from the same state. A scenario undoes the effect of its service, and
// calls without an interrupt come first. One such call, or one for each task that the service wakes
// in turn, returns every task to its position among the waiters. One more call proves this: the
// lab refuses the sweep unless "calm.begin" to "calm.end" has the same number of instructions each
// time. A tick never interrupts these calls, because only a few calls follow each tick. Two
// consecutive injected calls therefore differ in the position alone.
//
// A position counts from the return of bench_injection_arm. The first positions and the last few
// are in the scenario's own code: an interrupt there meets no kernel, and gives the minimum of the
// curve.
//
// The waiting task is the highest, so it must have run before the instruction after the service. A
// lost interrupt, or a task that keeps waiting, fails the run and names the instruction (the lab
// reads it from the last "ticklab: pended" line of the console).
#ifndef WORST_CASE_H
#define WORST_CASE_H

#include "../shared/tasks.h"
#include <bench/injection.h>
#include <bench/say.h>

enum { WORST_CASE_STACK_BYTES = 512 };

// Additional tasks that do not use the service and are always ready.
#ifdef PARAM_CROWD
#define WORST_CASE_CROWD PARAM_CROWD
#else
#define WORST_CASE_CROWD 0
#endif

// The scenario's own tasks and semaphores follow these.
enum { SERVER, SWEEPER, FIRST_OTHER, FIRST_TASK = FIRST_OTHER + WORST_CASE_CROWD };
enum { REQUEST, FIRST_SEMAPHORE };
enum { SERVER_PRIORITY = 2, HIGHER_PRIORITY = 5, SWEEPER_PRIORITY = 10 };

// The number of calls after one tick. With the costliest service, the calls take two thirds of the
// tick's period. A scenario with a costlier service defines a smaller number.
#ifndef WORST_CASE_CALLS_A_TICK
#define WORST_CASE_CALLS_A_TICK (12000 / BENCH_TICK_HZ)
#endif

#define WORST_CASE_TASK(task_entry, task_priority) \
    {                                              \
        .name = #task_entry,                       \
        .entry = (task_entry),                     \
        .stack_bytes = WORST_CASE_STACK_BYTES,     \
        .priority = (task_priority),               \
        .initially = BENCH_READY,                  \
    }

#if WORST_CASE_CROWD > 0 // C's initialisers have no empty range
#define WORST_CASE_OTHER_TASKS \
    [FIRST_OTHER... FIRST_TASK - 1] = WORST_CASE_TASK(stay_ready, IDLE_PRIORITY),
#else
#define WORST_CASE_OTHER_TASKS
#endif

#define WORST_CASE_OWN_TASKS                                                          \
    WORST_CASE_OTHER_TASKS                                                            \
    [SERVER] = WORST_CASE_TASK(server, SERVER_PRIORITY), [SWEEPER] = WORST_CASE_TASK( \
                                                             sweeper, SWEEPER_PRIORITY)

// Higher tasks that wait for one object; parameter `waiters` (suite.toml) is their number. They
// share one priority and one entry: a woken task waits again after the others.
#define WORST_CASE_WAITERS(task_entry) \
    [FIRST_TASK... FIRST_TASK + PARAM_WAITERS - 1] = WORST_CASE_TASK(task_entry, HIGHER_PRIORITY)

#define WORST_CASE_OWN_SEMAPHORES [REQUEST] = {.initial = 0, .maximum = 1}

static const struct bench_interrupt_declaration worst_case_interrupts[] = {
    {.action = BENCH_INTERRUPT_POSTS, .object = REQUEST},
};

static volatile uint32_t served;

static inline void require_ok(enum bench_status status, const char *reason) {
    BENCH_REQUIRE(status == BENCH_OK, reason);
}

static void server(void) {
    for (;;) {
        const enum bench_status status =
            bench_semaphore_take((struct bench_semaphore){REQUEST}, BENCH_FOREVER);
        BENCH_MARK("served.task");
        require_ok(status, "the interrupt's task was woken without an interrupt");
        served++;
    }
}

static inline void take_turns(void (*service)(void), void (*undo)(void), uint32_t turns) {
    for (uint32_t turn = 0; turn < turns; turn++) {
        service();
        undo();
    }
}

static inline void call_undisturbed(void (*service)(void), void (*undo)(void)) {
    BENCH_MARK("calm.begin");
    service();
    BENCH_MARK("calm.end");
    undo();
}

// Makes one call with the interrupt at `position`. Returns whether the interrupt came before the
// service had returned.
static inline bool inject(uint32_t position, void (*service)(void), void (*undo)(void)) {
    const uint32_t before = served;
    call_undisturbed(service, undo);
    bench_injection_arm(position);
    service();
    const uint32_t at = bench_injection_disarm();
    if (at == 0) {
        return false;
    }
    bench_say_hexadecimal("ticklab: pended ", at);
    BENCH_REQUIRE(served == before + 1, "interrupt lost: the task that it wakes did not run");
    undo();
    return true;
}

// Calls `service` with the interrupt at every position, and ends the run. `turns` is the number of
// tasks that the service wakes in turn. If their calls are too many for one tick, they come before
// the tick: it may interrupt them, but not the calls that follow.
static inline _Noreturn void sweep_in_turns(void (*service)(void), void (*undo)(void),
                                            uint32_t turns) {
    const bool turns_fit = turns + 2 <= WORST_CASE_CALLS_A_TICK;
    bench_injection_bind(bench_interrupt_line((struct bench_interrupt){0}));
    for (uint32_t position = 1;;) {
        take_turns(service, undo, turns_fit ? 0 : turns);
        bench_task_delay(1);
        const uint32_t tick = bench_ticks();
        uint32_t calls = 0;
        do {
            take_turns(service, undo, turns_fit ? turns : 0);
            if (!inject(position++, service, undo)) {
                bench_finish();
            }
            calls += turns + 2;
        } while (calls + turns + 2 <= WORST_CASE_CALLS_A_TICK);
        BENCH_REQUIRE(bench_ticks() == tick, "a tick interrupted the calls that follow a tick");
    }
}

static inline _Noreturn void sweep(void (*service)(void), void (*undo)(void)) {
    sweep_in_turns(service, undo, 1);
}

#endif
