// SPDX-License-Identifier: MIT
//
// Thread-Metric 3: five threads of rising priority. Each resumes the next thread, which pre-empts
// it, and counts when it runs again; all but the lowest then suspend themselves. The threads count
// in the order 4, 3, 2, 1, 0.
#include "thread_metric.h"

enum { THREADS = 5, HIGHEST = THREADS - 1 };

static volatile unsigned long counters[THREADS];
static volatile unsigned resumes[THREADS], passes[THREADS]; // of the verification

static void verify_resume(int next) {
    resumes[next]++;
    BENCH_REQUIRE(tm_thread_resume(next) == TM_SUCCESS, "resume reported an error");
    BENCH_REQUIRE(passes[next] == resumes[next],
                  "wrong order: the resumed thread of higher priority did not run at once");
}

static void verify_round(int self) {
    BENCH_REQUIRE(self == 0 || resumes[self] == passes[self] + 1,
                  "a suspended thread ran before it was resumed");
    if (self != HIGHEST) {
        verify_resume(self + 1);
    }
    passes[self]++;
    if (self != 0) {
        BENCH_REQUIRE(tm_thread_suspend(self) == TM_SUCCESS, "suspend reported an error");
    }
}

static void verify(int self) {
    for (int round = 0; round < TM_VERIFY_ROUNDS; round++) {
        verify_round(self);
    }
}

static void thread_0(void) {
    verify(0);
    for (;;) {
        tm_thread_resume(1);
        BENCH_MARK("iteration.0");
        counters[0]++;
    }
}

#define MIDDLE_THREAD(n)                 \
    static void thread_##n(void) {       \
        verify(n);                       \
        for (;;) {                       \
            tm_thread_resume((n) + 1);   \
            BENCH_MARK("iteration." #n); \
            counters[n]++;               \
            tm_thread_suspend(n);        \
        }                                \
    }

MIDDLE_THREAD(1)
MIDDLE_THREAD(2)
MIDDLE_THREAD(3)

static void thread_4(void) {
    verify(4);
    for (;;) {
        BENCH_MARK("iteration.4");
        counters[4]++;
        tm_thread_suspend(4);
    }
}

static const struct bench_task_declaration threads[THREADS] = {
    TM_THREAD(thread_0, 10, BENCH_READY),    TM_THREAD(thread_1, 9, BENCH_SUSPENDED),
    TM_THREAD(thread_2, 8, BENCH_SUSPENDED), TM_THREAD(thread_3, 7, BENCH_SUSPENDED),
    TM_THREAD(thread_4, 6, BENCH_SUSPENDED),
};

const struct bench_scenario bench_scenario = {.name = "preemptive-scheduling",
                                              BENCH_TASKS(threads)};
