// SPDX-License-Identifier: MIT
//
// Thread-Metric 2: five threads of one priority, each of which relinquishes and counts. A yield
// moves the caller after the others of its priority, and the first of these runs.
#include "thread_metric.h"

enum { THREADS = 5, ANYONE = -1 };

static volatile unsigned long counters[THREADS];
static volatile int due = ANYONE; // the kernel chooses the first thread, not the next

static void verify_round(int self) {
    BENCH_REQUIRE(due == ANYONE || due != (self + 1) % THREADS,
                  "yield without a switch: the caller continued although an equal task was ready");
    BENCH_REQUIRE(due == ANYONE || due == self,
                  "wrong order: yield did not run the thread that had waited longest");
    due = (self + 1) % THREADS;
    tm_thread_relinquish();
}

static void verify(int self) {
    for (int round = 0; round < TM_VERIFY_ROUNDS; round++) {
        verify_round(self);
    }
}

#define THREAD(n)                        \
    static void thread_##n(void) {       \
        verify(n);                       \
        for (;;) {                       \
            tm_thread_relinquish();      \
            BENCH_MARK("iteration." #n); \
            counters[n]++;               \
        }                                \
    }

THREAD(0)
THREAD(1)
THREAD(2)
THREAD(3)
THREAD(4)

static const struct bench_task_declaration threads[THREADS] = {
    TM_THREAD(thread_0, 3, BENCH_READY), TM_THREAD(thread_1, 3, BENCH_READY),
    TM_THREAD(thread_2, 3, BENCH_READY), TM_THREAD(thread_3, 3, BENCH_READY),
    TM_THREAD(thread_4, 3, BENCH_READY),
};

const struct bench_scenario bench_scenario = {.name = "cooperative-scheduling",
                                              BENCH_TASKS(threads)};
