// SPDX-License-Identifier: MIT
//
// Tests of threads.
#include "cases.h"
#include <bulkhead/os_objects.h>
#include <string.h>

enum { THREADS = 4, LONG_TICKS = 20 };

static volatile uint32_t runs;
static osThreadId_t other;
static volatile osThreadId_t last_id;
static const void *volatile last_argument;

static void run(void *argument) {
    last_argument = argument;
    last_id = osThreadGetId();
    runs++;
}

static void wait_long(void *argument) {
    (void)argument;
    osDelay(LONG_TICKS);
    osThreadExit();
}

static void attributes_that_are_refused(void) {
    static uint64_t memory[16];
    const osThreadAttr_t refused[] = {
        {.priority = osPriorityError},
        {.priority = osPriorityISR},
        {.priority = osPriorityNormal5},
        {.priority = (osPriority_t)9999},
        {.attr_bits = 4},      // privileged
        {.attr_bits = 0x8000}, // a zone
        {.stack_mem = memory},
        {.stack_size = 100000},
        {.tz_module = 1},
        {.cb_mem = memory, .cb_size = sizeof memory},
        {.cb_size = 1},
        {.cb_mem = &bulkhead_os.threads[0], .cb_size = 4},
    };
    CHECK(osThreadNew(NULL, NULL, NULL) == NULL);
    for (uint32_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        CHECK(osThreadNew(run, NULL, &refused[i]) == NULL);
    }
}

// A new thread runs at once if its priority is higher than the caller's, and gets its argument. The
// attributes may name the table entry that it uses.
static void creation(void) {
    struct bulkhead_os_thread *entry = &bulkhead_os.threads[2];
    const osThreadAttr_t named = {.name = "worker",
                                  .cb_mem = entry,
                                  .cb_size = sizeof *entry,
                                  .stack_size = 512,
                                  .priority = osPriorityHigh};
    runs = 0;
    CHECK(osThreadNew(run, no_object, &named) == entry);
    CHECK(runs == 1 && last_argument == no_object && last_id == entry);
    CHECK(osThreadGetState(entry) == osThreadInactive);
    CHECK(osThreadGetName(osThreadGetId()) != NULL);
    CHECK(strcmp(osThreadGetName(osThreadGetId()), "cases") == 0);
    CHECK(osThreadGetName(entry) == NULL && osThreadGetName(NULL) == NULL);
    CHECK(osThreadNew(run, NULL, NULL) != NULL && runs == 1); // of equal priority: runs later
    CHECK(osThreadYield() == osOK && runs == 2);
}

// There can be as many threads at once as are declared, and ended threads can be created again.
static void pool(void) {
    for (uint32_t round = 0; round < 3; round++) {
        osThreadId_t threads[THREADS];
        for (uint32_t i = 0; i < THREADS; i++) {
            threads[i] = start(run, osPriorityLow);
            CHECK(osThreadGetState(threads[i]) == osThreadReady);
            CHECK(osThreadGetStackSize(threads[i]) == 512);
        }
        CHECK(osThreadNew(run, NULL, NULL) == NULL);
        CHECK(osThreadGetCount() == THREADS + 1);
        wait_for_ends();
    }
    CHECK(osThreadGetStackSize(osThreadGetId()) == 1024 && osThreadGetStackSize(NULL) == 0);
    CHECK(osThreadGetStackSpace(osThreadGetId()) == 0);
}

static void enumeration(void) {
    osThreadId_t found[THREADS + 1];
    const osThreadId_t thread = start(run, osPriorityLow);
    CHECK(osThreadEnumerate(found, THREADS + 1) == 2);
    CHECK(found[0] == thread && found[1] == osThreadGetId());
    CHECK(osThreadEnumerate(found, 1) == 1 && osThreadEnumerate(NULL, 5) == 0);
    wait_for_ends();
}

static void states(void) {
    CHECK(osThreadGetState(osThreadGetId()) == osThreadRunning);
    CHECK(osThreadGetState(NULL) == osThreadError && osThreadGetState(no_object) == osThreadError);
    const osThreadId_t thread = start(wait_long, osPriorityHigh);
    CHECK(osThreadGetState(thread) == osThreadBlocked);
    CHECK(osThreadTerminate(thread) == osErrorResource); // restricted to the caller itself
    wait_for_ends();
    CHECK(osThreadGetState(thread) == osThreadInactive);
}

static void priorities(void) {
    const osThreadId_t self = osThreadGetId();
    const osThreadId_t thread = start(run, osPriorityBelowNormal);
    runs = 0;
    CHECK(osThreadGetPriority(thread) == osPriorityBelowNormal);
    CHECK(osThreadSetPriority(thread, osPriorityNormal7) == osErrorParameter);
    CHECK(osThreadSetPriority(NULL, osPriorityNormal) == osErrorParameter);
    CHECK(osThreadSetPriority(thread, osPriorityNone) == osErrorParameter);
    CHECK(runs == 0);
    CHECK(osThreadSetPriority(thread, osPriorityNormal1) == osOK && runs == 1);
    CHECK(osThreadGetPriority(thread) == osPriorityError);
    CHECK(osThreadSetPriority(thread, osPriorityNormal) == osErrorParameter); // it has ended
    start(run, osPriorityNormal4);
    CHECK(runs == 2);
    CHECK(osThreadSetPriority(self, osPriorityIdle) == osOK);
    CHECK(osThreadSetPriority(self, osPriorityNormal) == osOK);
}

// Each priority of the list, from Idle to Realtime, is above the one before: a thread runs only
// when the caller no longer has the next higher priority.
static void every_priority(void) {
    static const uint8_t order[] = {1,  8,  9,  10, 11, 12, 16, 20, 24,
                                    28, 32, 36, 40, 44, 48, 51, 52};
    const osThreadId_t self = osThreadGetId();
    for (uint32_t i = 1; i < sizeof order; i++) {
        runs = 0;
        CHECK(osThreadSetPriority(self, (osPriority_t)order[i]) == osOK);
        start(run, (osPriority_t)order[i - 1]);
        CHECK(runs == 0);
        CHECK(osThreadSetPriority(self, (osPriority_t)order[i - 1]) == osOK);
        CHECK(osThreadYield() == osOK);
        CHECK(runs == 1);
    }
    CHECK(osThreadSetPriority(self, osPriorityNormal) == osOK);
}

static void suspend_itself(void *argument) {
    (void)argument;
    runs++;
    CHECK(osThreadSuspend(osThreadGetId()) == osOK);
    runs++;
}

static void suspension(void) {
    runs = 0;
    const osThreadId_t thread = start(suspend_itself, osPriorityHigh);
    CHECK(runs == 1 && osThreadGetState(thread) == osThreadBlocked);
    CHECK(osThreadSuspend(NULL) == osErrorParameter && osThreadResume(NULL) == osErrorParameter);
    CHECK(osThreadSuspend(no_object) == osErrorParameter);
    CHECK(osThreadResume(thread) == osOK && runs == 2);
    other = start(run, osPriorityLow);
    CHECK(osThreadResume(other) == osErrorResource); // it is not suspended
    CHECK(osThreadSuspend(other) == osOK && osThreadGetState(other) == osThreadBlocked);
    osDelay(2);
    CHECK(runs == 2);
    CHECK(osThreadResume(other) == osOK && osThreadGetState(other) == osThreadReady);
    wait_for_ends();
    CHECK(runs == 3);
}

static void join_other(void *argument) {
    (void)argument;
    runs = (uint32_t)osThreadJoin(other);
}

static osThreadId_t start_joinable(osThreadFunc_t function, osPriority_t priority) {
    const osThreadAttr_t joinable = {.attr_bits = osThreadJoinable, .priority = priority};
    return osThreadNew(function, NULL, &joinable);
}

static void joins(void) {
    const osThreadId_t ended = start_joinable(run, osPriorityHigh);
    CHECK(osThreadGetState(ended) == osThreadTerminated && osThreadGetCount() == 1);
    CHECK(osThreadSuspend(ended) == osErrorResource);
    CHECK(osThreadSetPriority(ended, osPriorityLow) == osErrorResource);
    CHECK(osThreadFlagsSet(ended, 1) == osFlagsErrorResource);
    CHECK(osThreadJoin(ended) == osOK && osThreadJoin(ended) == osErrorParameter);
    other = start_joinable(wait_long, osPriorityHigh);
    start(join_other, osPriorityHigh);
    CHECK(osThreadJoin(other) == osErrorResource); // another thread waits for it
    wait_for_ends();
    CHECK(runs == (uint32_t)osOK && osThreadGetState(other) == osThreadInactive);
    CHECK(osThreadJoin(osThreadGetId()) == osErrorResource);
    CHECK(osThreadJoin(NULL) == osErrorParameter);
}

// A detached thread frees its table entry when it ends, or at once if it has ended already.
static void detaching(void) {
    const osThreadId_t ended = start_joinable(run, osPriorityHigh);
    CHECK(osThreadDetach(ended) == osOK && osThreadGetState(ended) == osThreadInactive);
    CHECK(osThreadDetach(ended) == osErrorParameter && osThreadDetach(NULL) == osErrorParameter);
    const osThreadId_t thread = start_joinable(wait_long, osPriorityHigh);
    CHECK(osThreadDetach(thread) == osOK && osThreadDetach(thread) == osErrorResource);
    CHECK(osThreadJoin(thread) == osErrorResource);
    wait_for_ends();
    CHECK(osThreadGetState(thread) == osThreadInactive);
}

static void end_itself(void *argument) {
    (void)argument;
    (void)osThreadTerminate(osThreadGetId());
    runs = 100;
}

static void ends(void) {
    runs = 0;
    start(end_itself, osPriorityHigh);
    CHECK(runs == 0 && osThreadGetCount() == 1);
    CHECK(osThreadTerminate(NULL) == osErrorParameter);
}

// A table entry is marked free before its thread has exited. A new thread in this entry starts only
// after the exit.
static void start_before_the_exit(void) {
    struct bulkhead_os_thread *leaving = start(wait_long, osPriorityHigh);
    leaving->has_ended = true;
    leaving->entry.is_used = false;
    runs = 0;
    CHECK(start(run, osPriorityHigh) == leaving && runs == 1);
}

void thread_cases(void) {
    attributes_that_are_refused();
    creation();
    pool();
    enumeration();
    states();
    priorities();
    every_priority();
    suspension();
    joins();
    detaching();
    ends();
    start_before_the_exit();
}
