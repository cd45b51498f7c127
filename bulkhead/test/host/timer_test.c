// SPDX-License-Identifier: MIT
//
// Timers against a model: the due tick and the order of arming of each. Time wraps in the middle.
#include "random.h"
#include "timer.h"
#include <assert.h>
#include <stdio.h>

enum { TIMERS = 30, STEPS = 300000, LONGEST_TICKS = 50 };

static struct timer *heap[TIMERS + 1];
static struct timers timers = {.heap = heap};
static struct timer each[TIMERS];
static uint32_t orders[TIMERS]; // 0: not armed
static uint32_t next_order = 1;

static int model_first(uint32_t now) {
    int first = -1;
    for (int i = 0; i < TIMERS; i++) {
        if (orders[i] == 0) {
            continue;
        }
        const uint32_t in = timer_due(&each[i]) - now;
        const uint32_t least = first < 0 ? 0 : timer_due(&each[first]) - now;
        if (first < 0 || in < least || (in == least && orders[i] < orders[first])) {
            first = i;
        }
    }
    return first;
}

static void expire(uint32_t now) {
    struct timer *due;
    while ((due = timers_next(&timers)) != NULL && timer_is_due(due, now)) {
        timer_disarm(&timers, due);
        const int i = (int)(due - each);
        assert(timer_due(due) == now && model_first(now) == i && !timer_armed(due));
        orders[i] = 0;
    }
    for (int i = 0; i < TIMERS; i++) {
        assert(orders[i] == 0 || timer_due(&each[i]) != now);
    }
}

static void arm_or_disarm(uint32_t now) {
    const int i = (int)random_below(TIMERS);
    assert(timer_armed(&each[i]) == (orders[i] != 0));
    if (orders[i] != 0) {
        timer_disarm(&timers, &each[i]);
        orders[i] = 0;
    } else {
        timer_arm(&timers, &each[i], now + 1 + random_below(LONGEST_TICKS));
        orders[i] = next_order++;
    }
}

static void assert_next(uint32_t now) {
    const int first = model_first(now);
    assert(timers_next(&timers) == (first < 0 ? NULL : &each[first]));
}

int main(void) {
    uint32_t now = UINT32_MAX - STEPS / 4;
    for (int step = 0; step < STEPS; step++) {
        arm_or_disarm(now);
        assert_next(now);
        if (random_below(2) == 0) {
            expire(++now);
        }
    }
    printf("timer: %d steps\n", STEPS);
    return 0;
}
