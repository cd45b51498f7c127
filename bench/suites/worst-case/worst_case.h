// SPDX-License-Identifier: MIT
//
// What the worst-case scenarios share: one service is called again and again, and an interrupt that
// wakes a waiting task is pended one instruction further on each time, until the service has
// returned before it.
//
// The state before each injected call is the same: a scenario undoes what its service did, and
// calls without an interrupt come first. A first one, or as many as tasks take turns in it, leave
// every task where it always waits; one more proves it: from "calm.begin" to "calm.end" are equally
// many instructions each time, or the lab refuses the sweep. No tick comes in between, for a few
// calls follow right behind each. So a passage differs from the one before in its position alone.
//
// A position counts from the return of bench_injection_arm. The first positions and the last few
// belong to the scenario itself: an interrupt there meets no kernel, which is the floor of the
// curve.
//
// The waiting task must have run before the service's successor does: it is the highest. An
// interrupt that was lost, or a task that was left waiting, fails the run and names the instruction
// (the lab finds it in the last "ticklab: pended" line of the console).
#ifndef WORST_CASE_H
#define WORST_CASE_H

#include "../shared/tasks.h"
#include <bench/injection.h>
#include <bench/say.h>

enum { WORST_CASE_STACK_BYTES = 512 };

// Other tasks, which have nothing to do with the service and are ready all the time.
#ifdef PARAM_CROWD
#define WORST_CASE_CROWD PARAM_CROWD
#else
#define WORST_CASE_CROWD 0
#endif

// The scenario's own tasks and semaphores come behind these.
enum { SERVER, SWEEPER, FIRST_OTHER, FIRST_TASK = FIRST_OTHER + WORST_CASE_CROWD };
enum { REQUEST, FIRST_SEMAPHORE };
enum { SERVER_PRIORITY = 2, HIGHER_PRIORITY = 5, SWEEPER_PRIORITY = 10 };

// Calls that follow one tick: of the costliest service they take two thirds of its period. A
// scenario that can have fewer says how many.
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

#if WORST_CASE_CROWD > 0 // C knows no empty range
#define WORST_CASE_OTHER_TASKS \
    [FIRST_OTHER... FIRST_TASK - 1] = WORST_CASE_TASK(stay_ready, IDLE_PRIORITY),
#else
#define WORST_CASE_OTHER_TASKS
#endif

#define WORST_CASE_OWN_TASKS                                                          \
    WORST_CASE_OTHER_TASKS                                                            \
    [SERVER] = WORST_CASE_TASK(server, SERVER_PRIORITY), [SWEEPER] = WORST_CASE_TASK( \
                                                             sweeper, SWEEPER_PRIORITY)

// Higher tasks that wait for one object, as many as parameter `waiters` says (suite.toml). Of one
// priority and one entry: the one that is woken waits again behind the others.
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
        require_ok(status, "the task that the interrupt wakes was woken by something else");
        served++;
    }
}

static inline void call_calmly(void (*service)(void), void (*undo)(void), uint32_t turns) {
    for (uint32_t turn = 0; turn < turns; turn++) {
        service();
        undo();
    }
    BENCH_MARK("calm.begin");
    service();
    BENCH_MARK("calm.end");
    undo();
}

// One call with the interrupt at `position`; whether it came before the service had returned.
static inline bool inject(uint32_t position, void (*service)(void), void (*undo)(void),
                          uint32_t turns) {
    const uint32_t before = served;
    call_calmly(service, undo, turns);
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

// Calls `service` with the interrupt at every position, and ends the run. `turns` tasks take turns
// in being woken by it.
static inline _Noreturn void sweep_in_turns(void (*service)(void), void (*undo)(void),
                                            uint32_t turns) {
    bench_injection_bind(bench_interrupt_line((struct bench_interrupt){0}));
    for (uint32_t position = 1;;) {
        bench_task_delay(1);
        const uint32_t tick = bench_ticks();
        uint32_t calls = 0;
        do {
            if (!inject(position++, service, undo, turns)) {
                bench_finish();
            }
            calls += turns + 2;
        } while (calls + turns + 2 <= WORST_CASE_CALLS_A_TICK);
        BENCH_REQUIRE(bench_ticks() == tick, "a tick came amid the calls that follow one");
    }
}

static inline _Noreturn void sweep(void (*service)(void), void (*undo)(void)) {
    sweep_in_turns(service, undo, 1);
}

#endif
