// SPDX-License-Identifier: MIT
//
// Memory throughput: reads, writes and copies 1 KiB, eight words per instruction. The copy is
// verified; all data stays in the task's own memory.
#include <bench/calibration.h>
#include <bench/mark.h>
#include <bench/port.h>
#include <bench/scenario.h>

enum { BYTES = 1024, WORDS = BYTES / 4 };

static uint32_t source[WORDS], target[WORDS];

static void task(void) {
    for (uint32_t pass = 1;; pass++) {
        source[pass % WORDS] = pass;
        BENCH_MARK("read.begin");
        bench_calibration_read(source, BYTES);
        BENCH_MARK("read.end");
        BENCH_MARK("write.begin");
        bench_calibration_write(target, BYTES);
        BENCH_MARK("write.end");
        BENCH_MARK("copy.begin");
        bench_calibration_copy(target, source, BYTES);
        BENCH_MARK("copy.end");
        if (target[pass % WORDS] != pass) {
            bench_fail("a word was not copied");
        }
    }
}

static const struct bench_task_declaration tasks[] = {
    {.name = "memory", .entry = task, .stack_bytes = 256, .priority = 10},
};

const struct bench_scenario bench_scenario = {.name = "memory", BENCH_TASKS(tasks)};
