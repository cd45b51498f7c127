// SPDX-License-Identifier: MIT
//
// Runs ten hostile programs, each of which combines features that other tests use one at a time:
// nested locks, restarts, shares, timeouts, floating-point registers, budgets, timers, calls in
// both directions, the log and the trace. The judge restarts the hostile process for each program,
// several times with different random numbers, and terminates the process if the program does not
// end by itself.
//
// Meanwhile a thread of the highest priority must run at each tick, although it waits for mutexes
// and for a server that the hostile process uses too. A thread of the lowest priority must run,
// because the hostile process has a time budget. A reported fault must be the fault that the
// program causes. Afterwards every object that the processes share must work, and the judge's
// memory must be unchanged.
#include "programs.h"
#include "handles.h"
#include "report.h"
#include <bulkhead/bulkhead.h>
#include <stddef.h>

enum { ROUNDS = 3 * TEST_LENGTH, PROGRAM_TICKS = 40, PERIOD_TICKS = 6, BUDGET_TICKS = 3 };

struct programs programs = {.constants = {1, 2, 3, 4, 5, 6, 7, 8}};

static volatile uint32_t guard_runs, low_runs;
static uint32_t faults;

// --- The highest thread --------------------------------------------------------------------------

static bool may_be(enum bulkhead_result result) {
    return result == BULKHEAD_OK || result == BULKHEAD_TIMED_OUT || result == BULKHEAD_PEER_LOST;
}

static void use_mutex(uint32_t mutex) {
    const enum bulkhead_result result = bulkhead_mutex_lock(mutex, 1);
    require(may_be(result), "a lock was refused");
    if (result != BULKHEAD_TIMED_OUT) {
        require(bulkhead_mutex_unlock(mutex) == BULKHEAD_OK, "an unlock was refused to the holder");
    }
}

void guard_main_entry(void);
void guard_main_entry(void) {
    for (;;) {
        uint32_t words[4] = {0};
        const uint32_t began = bulkhead_ticks();
        bulkhead_delay(1);
        require(bulkhead_ticks() - began == 1, "the highest thread overslept");
        guard_runs++;
        if (guard_runs % 4 == 0) {
            require(may_be(bulkhead_gate_call(GATE_TRAP, words, 1)), "a call was refused");
        } else {
            use_mutex(guard_runs % 4 == 1 ? MUTEX_OUTER : MUTEX_INNER);
        }
    }
}

// --- The lowest thread ---------------------------------------------------------------------------

void low_main_entry(void);
void low_main_entry(void) {
    for (;;) {
        low_runs++;
    }
}

// --- The judge -----------------------------------------------------------------------------------

// The fault that ends each program; 0: the program does not fault, so the judge terminates its
// process.
static const struct {
    const char *name;
    uint32_t fault, least_progress;
} expected[PROGRAMS] = {
    [NESTED_LOCKS] = {"nested locks", BULKHEAD_FAULT_DATA, 3},
    [CYCLE_OF_LOCKS] = {"cycle of locks", 0, 4},
    [FOREIGN_MEMORY] = {"foreign memory", BULKHEAD_FAULT_DATA, 8},
    [SPENT_HOLDER] = {"spent holder", 0, 4},
    [THREADS] = {"threads", 0, 40},
    [LOCAL_WORDS] = {"local words", BULKHEAD_FAULT_DATA, 40},
    [CIRCULAR_CALLS] = {"circular calls", BULKHEAD_FAULT_DATA, 3},
    [TIMERS] = {"timers", BULKHEAD_FAULT_DATA, 6},
    [LOGS] = {"logs", BULKHEAD_FAULT_INSTRUCTION, 40},
    [EVERYTHING] = {"everything", BULKHEAD_FAULT_DATA, 5},
};

static void must(bool condition, const char *line) {
    if (!condition) {
        say(expected[programs.number].name);
        say(": ");
    }
    require(condition, line);
}

// Waits until the program ends by a fault, or until its time is over. Returns whether it has
// faulted.
static bool await_fault(void) {
    const uint32_t began = bulkhead_ticks();
    while (bulkhead_ticks() - began < PROGRAM_TICKS) {
        (void)bulkhead_notification_wait(1);
        if (bulkhead_process_is_ended(PROCESS_HOSTILE) == BULKHEAD_OK) {
            return true;
        }
    }
    return false;
}

static void require_fault(bool came) {
    struct bulkhead_fault report;
    const uint32_t kind = expected[programs.number].fault;
    must(came || kind == 0 || programs.number == EVERYTHING, "it does not end");
    must(!came || kind != 0, "it ends");
    if (came) {
        must(bulkhead_fault_read(PROCESS_HOSTILE, &report) == BULKHEAD_OK, "there is no report");
        must(report.kind == kind, "another fault");
        must(report.faults == ++faults, "a fault is lost, or reported twice");
    }
}

static void require_mutex(uint32_t mutex) {
    const enum bulkhead_result result = bulkhead_mutex_lock(mutex, 2);
    must(result == BULKHEAD_OK || result == BULKHEAD_PEER_LOST, "a mutex stays locked");
    must(bulkhead_mutex_unlock(mutex) == BULKHEAD_OK, "a mutex is not released");
}

static void require_queue(void) {
    uint32_t message[2];
    while (bulkhead_queue_receive(QUEUE_MAIL, message, BULKHEAD_NO_WAIT) == BULKHEAD_OK) {
    }
    for (uint32_t i = 0; i < 2; i++) {
        const uint32_t sent[2] = {i, ~i};
        must(bulkhead_queue_send(QUEUE_MAIL, sent, BULKHEAD_NO_WAIT) == BULKHEAD_OK,
             "a queue is full");
    }
    for (uint32_t i = 0; i < 2; i++) {
        must(bulkhead_queue_receive(QUEUE_MAIL, message, BULKHEAD_NO_WAIT) == BULKHEAD_OK &&
                 message[0] == i && message[1] == ~i,
             "a queue has another message");
    }
}

// Requires that the semaphore works. Timers that the hostile process has started still give it
// after the process has been terminated.
static void require_semaphore(void) {
    uint32_t count = 0;
    for (uint32_t timer = TIMER_POSTING; timer <= TIMER_NOTIFYING; timer++) {
        must(bulkhead_timer_stop(timer) == BULKHEAD_OK, "a timer is not stopped");
    }
    while (bulkhead_semaphore_take(SEMAPHORE_COUNT, BULKHEAD_NO_WAIT) == BULKHEAD_OK) {
        count++;
    }
    must(count <= 3, "a semaphore is above its maximum");
}

static void require_service(void) {
    uint32_t words[4] = {ANSWER};
    must(bulkhead_gate_call(GATE_SERVICE, words, 4) == BULKHEAD_OK && words[0] == ANSWER + 1,
         "the server does not answer");
    must(bulkhead_gate_call(GATE_TRAP, words, 1) == BULKHEAD_PEER_LOST, "a process is not ended");
}

static void require_constants(void) {
    for (uint32_t i = 0; i < 8; i++) {
        must(programs.constants[i] == i + 1, "the judge's memory has changed");
    }
}

static uint64_t consumed(void) {
    static const uint32_t threads[] = {MEASURED_HOSTILE_A, MEASURED_HOSTILE_B, MEASURED_HOSTILE_C};
    uint64_t sum = 0;
    for (uint32_t i = 0; i < 3; i++) {
        uint64_t counts;
        uint32_t left;
        must(bulkhead_measured_time(threads[i], &counts) == BULKHEAD_OK, "a time is not read");
        must(bulkhead_measured_stack_left(threads[i], &left) == BULKHEAD_OK, "a stack is not read");
        sum += counts;
    }
    return sum;
}

static void run(uint32_t number) {
    const uint32_t began = bulkhead_ticks(), guards = guard_runs, lows = low_runs;
    const uint64_t before = consumed();
    programs.number = number;
    must(bulkhead_process_restart(PROCESS_HOSTILE) == BULKHEAD_OK, "it is not restarted");
    require_fault(await_fault());
    const uint32_t ticks = bulkhead_ticks() - began;
    must(consumed() - before <= (uint64_t)TICK_COUNTS * (ticks / PERIOD_TICKS + 2) * BUDGET_TICKS,
         "it takes more time than its budget");
    must(guard_runs - guards >= ticks / 3, "the highest thread does not run");
    must(ticks < PROGRAM_TICKS || low_runs != lows, "the lowest thread does not run");
    must(progress >= expected[number].least_progress, "it does not get far");
    must(bulkhead_process_end(PROCESS_HOSTILE) == BULKHEAD_OK, "it is not ended");
    require_mutex(MUTEX_OUTER);
    require_mutex(MUTEX_INNER);
    require_queue();
    require_semaphore();
    require_service();
    require_constants();
}

// Restarts a process that spins at each tick, also while its budget is spent.
static void restart_at_each_tick(void) {
    const uint64_t before = consumed();
    programs.number = CYCLE_OF_LOCKS;
    for (uint32_t i = 0; i < 4 * PERIOD_TICKS; i++) {
        must(bulkhead_process_restart(PROCESS_HOSTILE) == BULKHEAD_OK, "it is not restarted");
        bulkhead_delay(1);
    }
    must(consumed() - before <= (uint64_t)TICK_COUNTS * (4 + 1) * BUDGET_TICKS,
         "restarts give it more time than its budget");
    must(bulkhead_process_end(PROCESS_HOSTILE) == BULKHEAD_OK, "it is not ended");
}

void judge_main_entry(void);
void judge_main_entry(void) {
    restart_at_each_tick();
    for (uint32_t i = 0; i < ROUNDS; i++) {
        programs.seed = i + 1;
        for (uint32_t number = 0; number < PROGRAMS; number++) {
            run(number);
        }
    }
    say("programs: ");
    say_number(PROGRAMS);
    say(" in ");
    say_number(ROUNDS);
    say(" rounds, faults ");
    say_number(faults);
    say(", ticks ");
    say_number(bulkhead_ticks());
    succeed();
}
