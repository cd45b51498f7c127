// SPDX-License-Identifier: MIT
//
// Two periodic tasks on node 0 that can be scheduled by deadlines but not by fixed priorities. They
// need 2 of every 5 ticks and 4 of every 7, together 97 % of the time; fixed priorities guarantee
// two tasks only 83 % (Liu and Layland, 1973). A task computes for its ticks, less the cycles of
// the calls, and then sleeps until its next period begins.
#ifndef EDF_H
#define EDF_H

#include <cstdint>
#include <cstdio>

#include "rtu_model.h"

namespace edf {

constexpr unsigned kTasks = 2, kTickUnits = 8, kTickCycles = 64 * kTickUnits;
constexpr unsigned kPeriods[kTasks] = {5, 7}, kNeeds[kTasks] = {2, 4};
constexpr unsigned kCallCycles = 32; // of each tick, reserved for calls
constexpr uint64_t kHyperperiod = 35, kTicks = 4 * kHyperperiod;

// Runs the two tasks and counts the jobs that end after the tick in which their period ends.
// `bench` provides ticks(); answer(op, argument), which makes a call of node 0 and returns its
// answer; irq(); and wait(cycles).
template <class Bench> unsigned missed(Bench &bench, bool deadlines) {
    using namespace rtu;
    uint64_t release[kTasks], left[kTasks];
    unsigned ids[kTasks], late = 0;
    bench.reset();
    bench.answer(Tick, kTickUnits);
    const uint64_t start = bench.ticks();
    for (unsigned t = 0; t < kTasks; t++) {
        // With fixed priorities, the task of the shorter period has the higher one. With deadlines,
        // a task starts at a higher priority, so that it runs at once and sets its deadline.
        ids[t] = bench.answer(Create, deadlines ? 2 : kTasks - t) >> 8 & 63;
        release[t] = start;
        left[t] = kNeeds[t] * (kTickCycles - kCallCycles);
        if (deadlines) {
            bench.answer(Next, 0);
            bench.answer(Deadline, kPeriods[t]);
            bench.answer(Priority, 1 << 8 | ids[t]);
        }
    }
    uint32_t answer = bench.answer(Next, 0);
    while (bench.ticks() < start + kTicks) {
        if (bench.irq()) {
            answer = bench.answer(Next, 0);
        }
        if (answer >> 30 & 1) { // no task is ready
            bench.wait(1);
            continue;
        }
        const unsigned self = (answer & 63) == ids[0] ? 0 : 1;
        bench.wait(1);
        if (--left[self]) {
            continue;
        }
        release[self] += kPeriods[self];
        late += bench.ticks() >= release[self];
        left[self] = kNeeds[self] * (kTickCycles - kCallCycles);
        if (bench.ticks() < release[self]) {
            answer = bench.answer(Delay, unsigned(release[self] - bench.ticks()));
        }
    }
    return late;
}

template <class Bench> bool holds(Bench &bench) {
    const unsigned by_deadlines = missed(bench, true), by_priorities = missed(bench, false);
    std::printf("  edf: of the jobs in %u ticks, %u are late by deadlines and %u by priorities\n",
                unsigned(kTicks), by_deadlines, by_priorities);
    if (by_deadlines != 0 || by_priorities == 0) {
        std::printf("FAIL: rtu: deadlines do not schedule what fixed priorities cannot\n");
        return false;
    }
    return true;
}

} // namespace edf

#endif
