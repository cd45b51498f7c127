// SPDX-License-Identifier: MIT
//
// Tests time budgets: whatever a process (the hog) does, it consumes its budget of processor time
// in each period and no more, and the other processes meet their deadlines.
//
// The judge has the lowest priority. It reads a clock in a loop. If more time passes between two
// readings than one turn of the loop takes, other threads consumed that time. The control thread,
// whose priority is below the hog's, works once in each period. Its processor time is measured
// first, while the hog waits, and is subtracted later.
#include "budget.h"
#include "report.h"
#include <bulkhead/bulkhead.h>
#include <device.h>
#include <handles.h>

enum {
    PERIODS = 12,
    TICKS = PERIODS * BUDGET_PERIOD_TICKS,
    // A longer gap between two readings belongs to other threads; the handler of a tick takes less.
    OWN_CYCLES = TICK_CYCLES / 8,
    // The upper limit adds a tick of overrun, and 5 % for the context switches, which no budget is
    // charged for and which take longest at -O0.
    MOST_CYCLES = (PERIODS * BUDGET_TICKS + 1) * TICK_CYCLES + TICKS * TICK_CYCLES / 20,
    LEAST_CYCLES = (PERIODS - 1) * BUDGET_TICKS * TICK_CYCLES - TICKS * TICK_CYCLES / 50,
    // The control thread may wait for two budgets in succession, one at the end of a period and one
    // at the beginning of the next, and for the overrun.
    LATEST_TICKS = 2 * BUDGET_TICKS + 2,
};

volatile uint32_t hog_way, hog_part_spins, hog_turns;
static volatile uint32_t control_releases, control_overruns, control_latest_ticks;

void control_main_entry(void);
void judge_main_entry(void);

static void call_hog(void) {
    uint32_t words[4] = {0};
    if (hog_way == HOG_SERVES) {
        (void)bulkhead_gate_call(GATE_HOGS, words, 1);
    }
    for (uint32_t i = 0; i < 2 * BUDGET_TICKS && hog_way == HOG_ANSWERS; i++) {
        (void)bulkhead_gate_call(GATE_HOGS, words, BULKHEAD_FOREVER);
        bulkhead_delay(1);
    }
}

void control_main_entry(void) {
    struct bulkhead_period period = {bulkhead_ticks(), BUDGET_PERIOD_TICKS, 0};
    for (;;) {
        (void)bulkhead_period_wait(&period);
        call_hog();
        spin_times(hog_part_spins / 4);
        const uint32_t late_ticks = bulkhead_ticks() - period.release;
        if (late_ticks > control_latest_ticks) {
            control_latest_ticks = late_ticks;
        }
        control_overruns = period.overruns;
        control_releases++;
    }
}

// Returns the cycles that threads other than the judge consume in PERIODS periods.
static uint32_t taken_cycles(void) {
    const uint32_t end = bulkhead_ticks() + TICKS;
    const uint32_t began = clock_cycles();
    uint32_t own = 0, last = began;
    while ((int32_t)(bulkhead_ticks() - end) < 0) {
        const uint32_t now = clock_cycles();
        if (now - last < OWN_CYCLES) {
            own += now - last;
        }
        last = now;
    }
    return last - began - own;
}

static void begin(uint32_t way) {
    hog_way = way;
    const uint32_t tick = bulkhead_ticks();
    while (bulkhead_ticks() - tick < 3 * BUDGET_PERIOD_TICKS) {
    }
    control_latest_ticks = 0;
    control_releases = 0;
    hog_turns = 0;
}

// Measures how many turns of spin_times() take three quarters of a tick, while all other threads
// wait.
static void calibrate(void) {
    const uint32_t began = clock_cycles();
    spin_times(1000);
    hog_part_spins = 1000 * (TICK_CYCLES * 3 / 4) / (clock_cycles() - began);
}

static bool spends_all(uint32_t way) {
    return way != HOG_OVER_PERIOD && way != HOG_TIMERS && way != HOG_SERVES && way != HOG_STARTS &&
           way != HOG_FAULTS && way != HOG_ANSWERS;
}

// Returns the upper limit of the hog's cycles. With HOG_ANSWERS the control thread also blocks in
// its calls, so there are more context switches than when the control thread was measured alone.
static int32_t most_cycles(uint32_t way) {
    return MOST_CYCLES + (way == HOG_ANSWERS ? TICKS * TICK_CYCLES / 20 : 0);
}

static void judge(uint32_t way, uint32_t control_cycles) {
    begin(way);
    const uint32_t cycles = taken_cycles() - control_cycles;
    say(" ");
    say_number(cycles * 100 / (TICKS * TICK_CYCLES));
    say("%");
    require((int32_t)cycles <= most_cycles(way), "the hog consumes more than its budget");
    require(!spends_all(way) || (int32_t)cycles >= LEAST_CYCLES, "the hog does not get its budget");
    require(hog_turns != 0, "the hog does not run");
    // Then the control thread waits for the hog's answers, and is late.
    require(way == HOG_ANSWERS || (control_releases >= PERIODS - 1 && control_overruns == 0 &&
                                   control_latest_ticks <= LATEST_TICKS),
            "the control thread misses its deadline");
}

void judge_main_entry(void) {
    clock_start();
    hog_way = HOG_WAITS;
    calibrate();
    begin(HOG_WAITS);
    const uint32_t control_cycles = taken_cycles();
    say("budget:");
    for (uint32_t way = HOG_WAITS + 1; way < HOG_WAYS; way++) {
        judge(way, control_cycles);
    }
    say(" of the time, of 30%");
    succeed();
}
