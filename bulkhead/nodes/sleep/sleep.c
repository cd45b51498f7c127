// SPDX-License-Identifier: MIT
//
// Sleeping threads and the timer of a node: sleep.h has the interface. Times are in units of 64
// cycles, like those of the RTU: differences of 32-bit times are correct for longer than the
// longest sleep (NODES_MAX_TICK_CYCLES).
#include "sleep.h"

#define TICKS_MAX UINT16_MAX
#define FAR_CYCLES (1u << 30) // for a later time, the timer interrupts early and is set again

static struct timer *heap[1 + NODES_MAX_TASKS];
static struct timers timers;
static uint32_t units_per_tick;

void sleep_boot(uint32_t tick_cycles) {
    timers.heap = heap;
    units_per_tick = tick_cycles / UNIT_CYCLES;
    timer_stop();
}

static uint64_t cycles_now(void) {
    uint32_t low, high;
    do {
        high = TIME_HIGH;
        low = TIME_LOW;
    } while (high != TIME_HIGH);
    return (uint64_t)high << 32 | low;
}

static uint32_t units_now(void) {
    return (uint32_t)(cycles_now() / UNIT_CYCLES);
}

enum nodes_result sleep_begin(struct thread *thread, uint32_t ticks) {
    if (ticks == 0 || ticks > TICKS_MAX) {
        return NODES_ARGUMENT;
    }
    timer_arm(&timers, &thread->timer, units_now() + ticks * units_per_tick + 1, 0);
    return NODES_OK;
}

struct thread *sleep_next_due(void) {
    struct timer *timer = timers_next(&timers);
    if (!timer || !timer_is_due(timer, units_now())) {
        return NULL;
    }
    timer_disarm(&timers, timer);
    return (struct thread *)((char *)timer - offsetof(struct thread, timer));
}

uint32_t sleep_remaining(uint32_t most) {
    const struct timer *timer = timers_next(&timers);
    if (!timer) {
        return most;
    }
    const int32_t units = (int32_t)(timer_due(timer) - units_now());
    if (units <= 0) {
        return 0;
    }
    return (uint32_t)units < most / UNIT_CYCLES ? (uint32_t)units * UNIT_CYCLES : most;
}

// Sets the high word to its maximum first, so that the timer does not go off while only one word is
// set.
void timer_set(uint32_t cycles) {
    const uint64_t due = cycles_now() + cycles;
    TIME_COMPARE_HIGH = UINT32_MAX;
    TIME_COMPARE_LOW = (uint32_t)due;
    TIME_COMPARE_HIGH = (uint32_t)(due >> 32);
}

void timer_stop(void) {
    TIME_COMPARE_HIGH = UINT32_MAX;
}

void sleep_set_timer(void) {
    if (timers_next(&timers)) {
        timer_set(sleep_remaining(FAR_CYCLES));
    } else {
        timer_stop();
    }
}
