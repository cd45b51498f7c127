// SPDX-License-Identifier: MIT
//
// Tests terminations of threads and of processes, with 1, 10 and 50 of what makes a termination
// long: callers of a server, threads of a process, mutexes that the thread holds. A device
// interrupts at arbitrary times, and its driver measures the delay from the interrupt to its own
// start. The delay must be hardly longer with 50 than with 10, because the kernel terminates in
// small pieces and takes interrupts between them.
//
// The prover, which has the lowest priority, starts each termination. The kernel continues a
// deferred termination at the priority of the thread that is terminated. So the middle thread,
// whose priority is below the highest of the process (the crowd) and which every interrupt wakes,
// must never find the process half restarted. A client that is woken because its server was
// terminated runs before the kernel wakes clients of lower priority.
//
// In the last tests, a thread above the crowd (the meddler) acts during a termination:
// ends_meddler.c.
#include "ends.h"
#include "handles.h"
#include "report.h"
#include "thread.h"
#include <bulkhead/bulkhead.h>

// Only its address is used: threads cannot read kernel memory.
extern struct thread kernel_threads[];

enum { ROUNDS = 40, LAUNCHED_ROUNDS = 400, MEDDLED_ROUNDS = 100 };
enum { SLACK_CYCLES = 6, RESULTS = BULKHEAD_PEER_LOST + 1 };

volatile struct ledger ledger;
volatile uint32_t ends_deferred, ends_lifted, faults_in_launch; // written by ends_count.c
static uint32_t state = 1;

uint32_t random_below(uint32_t bound) {
    state = state * 1664525u + 1013904223u;
    return (state >> 16) % bound;
}

uint32_t own_index(void) {
    const uint32_t offset = bulkhead_page.self - thread_identity(kernel_threads);
    return offset / (uint32_t)sizeof(struct thread);
}

static void must(enum bulkhead_result result, enum bulkhead_result expected, const char *line) {
    require(result == expected, line);
}

// --- Threads that wait for one that ends ---------------------------------------------------------

static volatile enum { CALL, LOCK_ONES_OWN, LOCK_THE_FIRST } caller_task;
// Told[c][r]: how often the wait of caller c ended with result r.
static volatile uint32_t told[FIFTY][RESULTS];
static volatile uint32_t callers; // number of callers that the termination wakes

// Requires that the termination is not complete yet: this thread has the highest priority of the
// callers, so the kernel wakes the other callers later.
static void require_ending(void) {
    uint32_t words[4] = {0};
    must(bulkhead_join(THREAD_MORTAL, BULKHEAD_NO_WAIT), BULKHEAD_TIMED_OUT,
         "those below were told before one above them went on");
    must(bulkhead_gate_call(GATE_MORTAL, words, BULKHEAD_NO_WAIT), BULKHEAD_PEER_LOST,
         "one that ends serves");
    must(bulkhead_suspend(THREAD_MORTAL), BULKHEAD_REFUSED, "one that ends was suspended");
    must(bulkhead_resume(THREAD_MORTAL), BULKHEAD_REFUSED, "one that ends was resumed");
    must(bulkhead_start_thread(THREAD_MORTAL), BULKHEAD_REFUSED, "one that ends was started");
    must(bulkhead_set_priority(THREAD_MORTAL, 1), BULKHEAD_REFUSED, "one that ends was raised");
}

static enum bulkhead_result wait_for_end(uint32_t self) {
    uint32_t words[4] = {0};
    if (caller_task == CALL) {
        return bulkhead_gate_call(GATE_MORTAL, words, BULKHEAD_FOREVER);
    }
    const uint32_t mutex = MUTEX_M00 + (caller_task == LOCK_ONES_OWN ? self : 0);
    const enum bulkhead_result result = bulkhead_mutex_lock(mutex, BULKHEAD_FOREVER);
    must(bulkhead_mutex_unlock(mutex), BULKHEAD_OK, "the thread that was woken is not the holder");
    return result;
}

void caller_main(void);
void caller_main(void) {
    const uint32_t self = own_index() - CALLERS_FIRST;
    for (;;) {
        bulkhead_notification_wait(BULKHEAD_FOREVER);
        const enum bulkhead_result result = wait_for_end(self);
        if (self == 0 && callers > 1 && caller_task != LOCK_THE_FIRST && !ledger.faults) {
            require_ending();
        }
        told[self][result]++;
    }
}

// Number of calls of `low` that failed with PEER_LOST. `low` calls the last thread of a process,
// which serves the call when another thread of the same process faults.
static volatile uint32_t low_lost;

void low_main(void);
void low_main(void) {
    uint32_t words[4] = {0};
    for (;;) {
        bulkhead_notification_wait(BULKHEAD_FOREVER);
        must(bulkhead_gate_call(GATE_LAST, words, BULKHEAD_FOREVER), BULKHEAD_PEER_LOST,
             "a client of the last thread was not told");
        low_lost++;
    }
}

// --- Threads, servers and processes that end -----------------------------------------------------

static const struct crowd {
    uint32_t threads, first_index;
    uint32_t priorities; // number of different priorities; thread n has the priority n % priorities
    uint32_t first, process;
    bool restarts;
} crowds[] = {
    {1, ONE_FIRST, 1, THREAD_O0, PROCESS_ONE, true},
    {TEN, TEN_FIRST, 9, THREAD_T0, PROCESS_TEN, true},
    {FIFTY, FIFTY_FIRST, 10, THREAD_F00, PROCESS_FIFTY, true},
    {TEN, KILLED_FIRST, 10, THREAD_K0, PROCESS_KILLED, false},
};
static const struct crowd *const one = &crowds[0], *const ten = &crowds[1],
                                 *const fifty = &crowds[2], *const killed = &crowds[3];

// The process that is terminated; NULL: only the thread `mortal`.
static const struct crowd *volatile falling;
static volatile uint32_t overseen;

bool is_there(uint32_t thread) {
    const bool there = bulkhead_suspend(thread) == BULKHEAD_OK;
    // Also undoes a suspension by another thread that was in this function.
    bulkhead_resume(thread);
    return there;
}

static void require_there(uint32_t thread) {
    require(is_there(thread), "a thread is not there");
}

static void require_whole(const struct crowd *crowd) {
    for (uint32_t each = 0; each < crowd->threads; each++) {
        if (crowd->restarts) {
            require_there(crowd->first + each);
        } else {
            must(bulkhead_join(crowd->first + each, BULKHEAD_NO_WAIT), BULKHEAD_OK,
                 "a thread of a killed process is there");
        }
    }
}

// The supervisor, which the kernel notifies after each termination. It requires that the
// termination and the restart are complete.
void judge_main(void);
void judge_main(void) {
    for (;;) {
        bulkhead_notification_wait(BULKHEAD_FOREVER);
        overseen++;
        if (falling == NULL) {
            require_there(THREAD_MORTAL);
        } else {
            require_whole(falling);
        }
    }
}

// Every interrupt wakes this thread. Its priority is below the highest of each crowd, so it must
// not run between a fault and the restart.
void middle_main(void);
void middle_main(void) {
    for (;;) {
        bulkhead_notification_wait(BULKHEAD_FOREVER);
        if (ledger.fell && ledger.meddling == NOT_AT_ALL) {
            require(ledger.begun != 0 || overseen != 0,
                    "an end had no more than a lower thread's priority");
        }
    }
}

// --- Callers, mutexes ----------------------------------------------------------------------------

static uint32_t told_at_all(enum bulkhead_result result) {
    uint32_t sum = 0;
    for (uint32_t each = 0; each < FIFTY; each++) {
        sum += told[each][result];
    }
    return sum;
}

static void let_callers_wait(uint32_t count) {
    callers = count;
    for (uint32_t each = 0; each < FIFTY; each++) {
        for (uint32_t result = 0; result < RESULTS; result++) {
            told[each][result] = 0;
        }
    }
    for (uint32_t each = 0; each < count; each++) {
        bulkhead_notify(THREAD_C00 + each);
    }
}

static void end_mortal(void) {
    falling = NULL;
    overseen = 0;
    ledger.interrupts = 0;
    bulkhead_flags_set(FLAGS_END, END);
    if (ledger.faults) {
        require(overseen == 1, "a supervisor was not told once");
    } else {
        must(bulkhead_join(THREAD_MORTAL, BULKHEAD_NO_WAIT), BULKHEAD_OK, "an end is not over");
        must(bulkhead_start_thread(THREAD_MORTAL), BULKHEAD_OK, "what has ended was not started");
        require(overseen == 0, "a supervisor was told of an exit");
    }
}

static void end_called(uint32_t count) {
    ledger.task = SERVES;
    ledger.mutexes = 0;
    caller_task = CALL;
    bulkhead_notify(THREAD_MORTAL);
    let_callers_wait(count);
    end_mortal();
    for (uint32_t each = 0; each < count; each++) {
        require(told[each][BULKHEAD_PEER_LOST] == 1, "a caller was not told once");
    }
}

static void require_free(uint32_t count) {
    for (uint32_t each = 0; each < count; each++) {
        must(bulkhead_mutex_lock(MUTEX_M00 + each, BULKHEAD_NO_WAIT), BULKHEAD_OK,
             "a mutex is not free");
        must(bulkhead_mutex_unlock(MUTEX_M00 + each), BULKHEAD_OK, "a free mutex was not locked");
    }
}

static void let_hold(uint32_t count) {
    ledger.task = HOLDS;
    ledger.mutexes = count;
    bulkhead_notify(THREAD_MORTAL);
}

static void end_holding(uint32_t count) {
    let_hold(count);
    end_mortal();
    require_free(count);
}

static void end_waited_for(uint32_t count) {
    caller_task = LOCK_ONES_OWN;
    let_hold(count);
    let_callers_wait(count);
    end_mortal();
    for (uint32_t each = 0; each < count; each++) {
        require(told[each][BULKHEAD_PEER_LOST] == 1, "a waiter was not told once");
    }
    require_free(count);
}

// Tests mutexes whose holder is terminated while all callers wait for the first mutex. Only the
// next holder, the first waiter of the highest priority, gets PEER_LOST; all later holders get OK.
static void end_waited_for_by_all(void) {
    caller_task = LOCK_THE_FIRST;
    let_hold(FIFTY);
    let_callers_wait(FIFTY);
    end_mortal();
    require(told[0][BULKHEAD_PEER_LOST] == 1, "another waiter was told than the first");
    require(told_at_all(BULKHEAD_PEER_LOST) == 1 && told_at_all(BULKHEAD_OK) == FIFTY - 1,
            "an end was told to more than one");
    require_free(FIFTY);
}

static void end_called_by_fault(uint32_t count) {
    ledger.faults = true;
    end_called(count);
    ledger.faults = false;
}

// --- Crowds --------------------------------------------------------------------------------------

static uint32_t faults_of(const struct crowd *crowd) {
    struct bulkhead_fault fault;
    const enum bulkhead_result result = bulkhead_fault_read(crowd->process, &fault);
    return result == BULKHEAD_OK ? fault.faults : 0;
}

static void spoil_memory(void) {
    for (uint32_t each = 0; each < IMAGE_WORDS; each++) {
        memory.image[each] = each;
    }
    for (uint32_t each = 0; each < ZEROES; each++) {
        memory.zeroes[each] = ~each;
    }
}

static void require_memory(void) {
    for (uint32_t each = 0; each < IMAGE_WORDS; each++) {
        require(memory.image[each] == IMAGE_WORD, "what a process begins with was not loaded");
    }
    for (uint32_t each = 0; each < ZEROES; each++) {
        require(memory.zeroes[each] == 0, "a process was restarted with what it had in its memory");
    }
    for (uint32_t each = 0; each < FIFTY; each++) {
        require(memory.begun[each] == 1, "a thread did not begin");
    }
}

static uint32_t priority_of(const struct crowd *crowd, uint32_t index) {
    return (index - crowd->first_index) % crowd->priorities;
}

static void require_order(const struct crowd *crowd) {
    require(ledger.begun == crowd->threads,
            "threads of a restarted process did not begin, or twice");
    for (uint32_t each = 1; each < crowd->threads; each++) {
        const uint32_t before = ledger.order[each - 1], index = ledger.order[each];
        const uint32_t higher = priority_of(crowd, before), priority = priority_of(crowd, index);
        require(higher < priority || (higher == priority && before < index),
                "threads began in another order");
    }
}

// Lets a thread of a crowd fault that has a higher priority than the middle thread, and requires a
// complete termination and restart of its process.
static void end_crowd(const struct crowd *crowd) {
    const uint32_t faults = faults_of(crowd);
    const uint32_t any = random_below(crowd->threads);
    spoil_memory();
    falling = crowd;
    overseen = 0;
    ledger.interrupts = 0;
    bulkhead_notify(crowd->first + (any % 10 < 5 ? any : any - 5));
    require(faults_of(crowd) == faults + 1, "a fault was not reported");
    require(overseen == 1, "a supervisor was not told once");
    require_whole(crowd);
    if (crowd->restarts) {
        require_order(crowd);
    }
    if (crowd == fifty) {
        require_memory();
    }
    ledger.fell = false;
}

static void end_killed(void) {
    end_crowd(killed);
    for (uint32_t each = 0; each < killed->threads; each++) {
        must(bulkhead_start_thread(killed->first + each), BULKHEAD_OK,
             "a killed thread did not start");
    }
}

static void end_process(uint32_t count) {
    end_crowd(count == 1 ? one : count == TEN ? ten : fifty);
    if (count == TEN) {
        end_killed();
    }
}

static void end_with_served(void) {
    const uint32_t before = low_lost;
    bulkhead_notify(THREAD_LOW);
    bulkhead_notify(THREAD_T8);
    end_crowd(ten);
    require(low_lost == before + 1, "a client of the last thread was not told");
}

static void end_while_called(void) {
    ledger.meddling = CALLS;
    end_crowd(ten);
    bulkhead_notify(THREAD_EQUAL);
    ledger.meddling = LETS_CALL;
    end_crowd(ten);
    ledger.meddling = NOT_AT_ALL;
    if (ledger.is_held) {
        bulkhead_notify(THREAD_CLERK);
    }
}

// Returns how many times the process `fifty` faulted.
static uint32_t end_meddled(enum meddling how) {
    const uint32_t faults = faults_of(fifty);
    spoil_memory();
    falling = fifty;
    overseen = 0;
    ledger.falls_left = random_below(4);
    ledger.interrupts = 0;
    ledger.meddling = how;
    bulkhead_notify(THREAD_F00 + random_below(FIFTY));
    ledger.meddling = NOT_AT_ALL;
    const uint32_t more = faults_of(fifty) - faults;
    require(more != 0 && overseen != 0 && overseen <= more, "a supervisor was told too often");
    require_whole(fifty);
    require_memory();
    return more;
}

// --- Tests ---------------------------------------------------------------------------------------

static uint32_t latest_with(void (*end)(uint32_t count), uint32_t count) {
    ledger.latest_cycles = 0;
    for (uint32_t round = 0; round < ROUNDS; round++) {
        end(count);
    }
    return ledger.latest_cycles;
}

static void test_latency(const char *what, void (*end)(uint32_t count)) {
    const uint32_t stopped_before = ends_deferred;
    const uint32_t with_one = latest_with(end, 1), with_ten = latest_with(end, TEN);
    const uint32_t with_fifty = latest_with(end, FIFTY);
    say(what);
    say_number(with_one);
    say(", ");
    say_number(with_ten);
    say(", ");
    say_number(with_fifty);
    // A thread that is terminated has the priority of its highest waiter. To find this waiter, the
    // kernel searches all contended mutexes of the thread, so this test allows twice the delay.
    require(with_fifty <= 2 * with_ten + SLACK_CYCLES, ": late by what ends");
    require(ends_deferred - stopped_before > ROUNDS / 20, "too few ends were stopped half-way");
}

// Tests the delay of the first interrupt while the kernel launches the threads of a restarted
// process.
static void test_launched(void) {
    const uint32_t lifted_before = ends_lifted;
    ledger.is_rare = true;
    for (uint32_t round = 0; round < LAUNCHED_ROUNDS; round++) {
        ledger.meddling = ASKS;
        bulkhead_notify(THREAD_MEDDLER);
        ledger.meddling = NOT_AT_ALL;
        end_crowd(ten);
    }
    ledger.is_rare = false;
    require(ends_lifted == lifted_before, "a server ended at the priority of its last client");
}

static void test_meddled(void) {
    uint32_t faults = 0;
    for (uint32_t round = 0; round < MEDDLED_ROUNDS; round++) {
        faults += end_meddled(round % 2 != 0 ? WITH_LAUNCHED : WITH_ANY);
        end_while_called();
    }
    say("; ended again ");
    say_number(faults - MEDDLED_ROUNDS);
    say(" times, during the launch ");
    say_number(faults_in_launch);
    say(", awaited ");
    say_number(ledger.awaited);
    require(ledger.awaited > 2 * MEDDLED_ROUNDS, "too few ends were awaited");
    require(faults > MEDDLED_ROUNDS + MEDDLED_ROUNDS / 4, "too few processes were ended again");
    require(faults_in_launch > MEDDLED_ROUNDS / 20, "too few faults came during a launch");
}

void prover_main(void);
void prover_main(void) {
    say("ends: 1, 10, 50");
    test_latency(" callers at an exit: late by ", end_called);
    test_latency("; at a fault ", end_called_by_fault);
    test_latency("; threads ", end_process);
    test_latency("; mutexes ", end_holding);
    test_latency("; waited for ", end_waited_for);
    for (uint32_t round = 0; round < ROUNDS; round++) {
        end_waited_for_by_all();
        end_with_served();
    }
    test_launched();
    test_meddled();
    say("; stopped ");
    say_number(ends_deferred);
    succeed();
}
