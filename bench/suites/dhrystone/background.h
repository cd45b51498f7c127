// SPDX-License-Identifier: MIT
//
// The original Dhrystone (suite.toml, `workload`) as the lowest task, and a function with which a
// task of higher priority uses a service a given number of times at each tick.
//
// Dhrystone measures its own time and repeats itself until a run is long enough. Here its clock
// stands still, so that it finds 500 passes too few, continues with ten times as many, and never
// ends. Between two such runs it calls setStats, which compares all of its global results with the
// values that it prints as expected. Samples are taken only after the second run has passed this
// check.
#ifndef BACKGROUND_H
#define BACKGROUND_H

#define TIME 1 // as in the program itself; otherwise its header includes system headers
#include <dhrystone.h>

#include "../shared/tasks.h"

enum { USES = 10 };             // of the service per tick: 1000 per second at 100 Hz
enum { WORKLOAD_BYTES = 1024 }; // two strings, two records and the C library

extern Rec_Pointer Ptr_Glob, Next_Ptr_Glob;
extern int Int_Glob, Arr_1_Glob[50], Arr_2_Glob[50][50];
extern Boolean Bool_Glob;
extern char Ch_1_Glob, Ch_2_Glob;

int dhrystone(int argument_count, char **arguments); // its main
long dhrystone_time(long *unused);
int dhrystone_print(const char *format, ...);
void setStats(int begins);

long dhrystone_time(long *unused) {
    (void)unused;
    return 0;
}

int dhrystone_print(const char *format, ...) {
    (void)format;
    return 0;
}

static bool is_record(const struct record *record, int enumeration, int number) {
    return record->Ptr_Comp == Ptr_Glob->Ptr_Comp && record->Discr == 0 &&
           (int)record->variant.var_1.Enum_Comp == enumeration &&
           record->variant.var_1.Int_Comp == number &&
           strcmp(record->variant.var_1.Str_Comp, "DHRYSTONE PROGRAM, SOME STRING") == 0;
}

static bool are_final_values(int passes) {
    return Int_Glob == 5 && Bool_Glob == 1 && Ch_1_Glob == 'A' && Ch_2_Glob == 'B' &&
           Arr_1_Glob[8] == 7 && Arr_2_Glob[8][7] == passes + 10 && is_record(Ptr_Glob, 2, 17) &&
           is_record(Next_Ptr_Glob, 1, 18);
}

void setStats(int begins) {
    static int run = NUMBER_OF_RUNS, passes;
    if (begins) {
        return;
    }
    passes += run;
    run *= 10;
    BENCH_REQUIRE(are_final_values(passes), "Dhrystone: a final value is wrong");
}

static void workload(void) {
    (void)dhrystone(0, NULL);
    bench_fail("Dhrystone ended");
}

#define DHRYSTONE                   \
    {.name = "dhrystone",           \
     .entry = workload,             \
     .stack_bytes = WORKLOAD_BYTES, \
     .priority = BENCH_PRIORITY_LOWEST}

static inline void wait_for_tick(uint32_t *wake) {
    bench_task_delay_until(wake, 1);
    BENCH_REQUIRE(bench_ticks() == *wake, "delay-periodic: released in the wrong tick");
}

// Calls `use` `times` times at each tick. A scenario and its baseline differ in `use` alone.
static inline void use_at_each_tick(void (*use)(void), int times) {
    uint32_t wake = bench_ticks();
    for (;;) {
        wait_for_tick(&wake);
        for (int i = 0; i < times; i++) {
            use();
        }
    }
}

static inline void use_nothing(void) {
}

#endif
