// SPDX-License-Identifier: MIT
//
// Tests the calls that measure a thread: the stack that it has used, and its processor time. The
// results must agree with what the threads did, and a process without the right to measure a thread
// must be denied.
//
// The judge, which checks the results, has the lowest priority, so it runs only when all other
// threads wait.
#include "handles.h"
#include "report.h"
#include <bulkhead/bulkhead.h>

enum { DEPTH = 256, FRAMES = 320, SPIN_TICKS = 8, UNTOUCHED = 0x01010101 };

enum work { REST, SINK, SPIN, SPIN_IN_SERVER, OVERFLOW, WORKS };
enum { WORKER_A, WORKER_B, WORKERS };

static const uint32_t measured[] = {
    MEASURED_WORKER_A, MEASURED_WORKER_B,   MEASURED_SERVER,
    MEASURED_STRANGER, MEASURED_JUDGE_MAIN, MEASURED_KERNEL_IDLE,
};
enum { MEASURED = sizeof measured / sizeof measured[0] };

static volatile uint32_t works[WORKERS];
// Number of calls of the stranger, which has no right, that were not denied.
static volatile uint32_t wrong;
static volatile bool stranger_is_done;

// --- The workers ---------------------------------------------------------------------------------

static __attribute__((noinline)) void sink(uint32_t bytes) {
    volatile uint8_t used[DEPTH];
    for (uint32_t i = 0; i < DEPTH; i++) {
        used[i] = (uint8_t)bytes;
    }
    if (bytes > DEPTH) {
        sink(bytes - DEPTH);
    }
    used[0] = used[1];
}

static void spin(void) {
    const uint32_t end = bulkhead_ticks() + SPIN_TICKS;
    while ((int32_t)(bulkhead_ticks() - end) < 0) {
    }
}

static void work(uint32_t what) {
    uint32_t words[4] = {0};
    switch (what) {
    case SINK:
        sink(2 * DEPTH);
        break;
    case SPIN:
        spin();
        break;
    case SPIN_IN_SERVER:
        require(bulkhead_gate_call(GATE_WORK, words, BULKHEAD_FOREVER) == BULKHEAD_OK, "a call");
        break;
    case OVERFLOW:
        sink(64 * DEPTH);
        break;
    default:
        break;
    }
}

static _Noreturn void obey(uint32_t worker) {
    for (;;) {
        (void)bulkhead_notification_wait(BULKHEAD_FOREVER);
        const uint32_t what = works[worker];
        works[worker] = REST;
        work(what);
    }
}

void worker_a_main(void);
void worker_b_main(void);
void server_main(void);
void stranger_main(void);
void judge_main_entry(void);

void worker_a_main(void) {
    obey(WORKER_A);
}

void worker_b_main(void) {
    obey(WORKER_B);
}

void server_main(void) {
    uint32_t words[4] = {0}, caller;
    for (;;) {
        (void)bulkhead_gate_receive(GATE_WORK, words, &caller, BULKHEAD_FOREVER);
        spin();
    }
}

// --- The stranger --------------------------------------------------------------------------------

// Tries to measure threads of other processes, by their handles and by larger handles that the
// kernel reduces to the same table entries.
static void measure_others(void) {
    for (uint32_t i = 0; i < MEASURED; i++) {
        uint64_t counts = UNTOUCHED;
        uint32_t bytes = 0;
        const bool is_own = measured[i] == MEASURED_STRANGER || measured[i] == MEASURED_KERNEL_IDLE;
        for (uint32_t alias = 0; alias < 64; alias += 16) {
            const uint32_t handle = measured[i] + alias;
            wrong += (bulkhead_measured_time(handle, &counts) == BULKHEAD_OK) != is_own;
            wrong += (bulkhead_measured_stack_left(handle, &bytes) == BULKHEAD_OK) != is_own;
        }
        wrong += !is_own && counts != UNTOUCHED;
    }
}

static bool is_denied(uint32_t method, uint32_t value) {
    return bulkhead_exchange_1(MEASURED_STRANGER, method, &value) == BULKHEAD_DENIED;
}

// Makes calls with invalid arguments for its own thread: result addresses that are misaligned or
// that this process may not write, positions outside the stack, and methods that do not exist.
static void measure_wrongly(void) {
    wrong += !is_denied(BULKHEAD_MEASURED_TIME, 0);
    wrong += !is_denied(BULKHEAD_MEASURED_TIME, (uint32_t)&bulkhead_page);
    wrong += !is_denied(BULKHEAD_MEASURED_TIME, (uint32_t)&wrong + 2);
    wrong += !is_denied(BULKHEAD_MEASURED_STACK_LEFT, 4096);
    wrong += !is_denied(BULKHEAD_MEASURED_STACK_LEFT, UINT32_MAX);
    for (uint32_t method = 2; method < 8; method++) {
        wrong += !is_denied(method, 0);
    }
}

void stranger_main(void) {
    for (;;) {
        (void)bulkhead_notification_wait(BULKHEAD_FOREVER);
        measure_others();
        measure_wrongly();
        stranger_is_done = true;
    }
}

// --- The judge -----------------------------------------------------------------------------------

static uint32_t left(uint32_t handle) {
    uint32_t bytes = 0;
    require(bulkhead_measured_stack_left(handle, &bytes) == BULKHEAD_OK, "no stack");
    return bytes;
}

static uint64_t time_of(uint32_t handle) {
    uint64_t counts = 0;
    require(bulkhead_measured_time(handle, &counts) == BULKHEAD_OK, "no time");
    return counts;
}

static void let(uint32_t worker, uint32_t what) {
    works[worker] = what;
    bulkhead_notify(worker == WORKER_A ? THREAD_WORKER_A : THREAD_WORKER_B);
}

static void measures_stacks(void) {
    const uint32_t before = left(MEASURED_WORKER_A), other = left(MEASURED_WORKER_B);
    require(before > 2 * DEPTH + FRAMES, "a worker that rests has used its stack");
    let(WORKER_A, SINK);
    const uint32_t after = left(MEASURED_WORKER_A);
    // Earlier calls have already used the stack where a part of the first array lies, so the use
    // grows by less than DEPTH there.
    require(before - after >= DEPTH && before - after <= 2 * DEPTH + FRAMES, "not what it used");
    require(left(MEASURED_WORKER_B) == other, "another thread has used its stack");
    let(WORKER_A, SINK);
    require(left(MEASURED_WORKER_A) == after, "the same use is deeper");
    let(WORKER_A, OVERFLOW);
    require(bulkhead_notification_wait(BULKHEAD_FOREVER) == BULKHEAD_OK, "no fault");
    require(left(MEASURED_WORKER_A) < DEPTH, "an overflow left the stack");
    require(left(MEASURED_WORKER_B) <= other, "the restart laid marks again");
}

static void read_all(uint64_t counts[MEASURED]) {
    for (uint32_t i = 0; i < MEASURED; i++) {
        counts[i] = time_of(measured[i]);
    }
}

static bool is_near(uint32_t counts, uint32_t expected, uint32_t difference) {
    return counts - expected + difference <= 2 * difference;
}

// Tests processor times while two workers run, one of which also calls a server. The times of the
// workers, the server and the judge add up to the elapsed time, and the server's work counts as the
// server's time.
static void measures_times(void) {
    const uint32_t tick = BULKHEAD_TICK_CYCLES;
    uint64_t before[MEASURED], after[MEASURED];
    bulkhead_delay(1);
    const uint32_t began = bulkhead_ticks();
    read_all(before);
    let(WORKER_A, SPIN);
    let(WORKER_B, SPIN);
    let(WORKER_B, SPIN);
    let(WORKER_A, SPIN_IN_SERVER);
    bulkhead_delay(SPIN_TICKS);
    const uint32_t whole = (bulkhead_ticks() - began) * tick;
    read_all(after);
    uint32_t sum = 0;
    for (uint32_t i = 0; i < MEASURED; i++) {
        after[i] -= before[i];
        sum += (uint32_t)after[i];
    }
    const uint32_t spun = SPIN_TICKS * tick;
    require(is_near(sum, whole, tick / 50), "the parts are not the whole");
    require(is_near((uint32_t)after[0], spun, tick / 8), "worker a");
    require(is_near((uint32_t)after[1], 2 * spun, tick / 8), "worker b");
    require(is_near((uint32_t)after[2], spun, tick / 8), "the server's time is its own");
    require(is_near((uint32_t)after[5], spun, tick / 8), "the time in which all wait is idle's");
    require(after[3] == 0 && after[4] < tick / 4, "others");
}

// Tests a thread that measures itself twice without a context switch: the result includes the time
// since it was last switched to.
static void measures_itself(void) {
    const uint64_t before = time_of(MEASURED_JUDGE_MAIN);
    for (volatile uint32_t i = 0; i < 1000; i++) {
    }
    require(time_of(MEASURED_JUDGE_MAIN) > before, "the time of the thread that asks");
}

void judge_main_entry(void) {
    measures_itself();
    measures_stacks();
    for (uint32_t round = 0; round < 3; round++) {
        measures_times();
    }
    bulkhead_notify(THREAD_STRANGER);
    require(stranger_is_done, "the stranger");
    require(wrong == 0, "somebody measures without the right");
    say("measures: stack left of a worker ");
    say_number(left(MEASURED_WORKER_B));
    say(" bytes, of idle ");
    say_number(left(MEASURED_KERNEL_IDLE));
    succeed();
}
