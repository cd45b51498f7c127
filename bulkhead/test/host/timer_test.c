// SPDX-License-Identifier: MIT
//
// Tests timers against a model that has the due tick, the priority and the arming order of each
// timer. The tick counter wraps during the test. Not every tick takes all due timers; some are left
// for later ticks. Some due timers are moved to the list of expired timers, from which the test
// takes the first timer of the highest priority, or any timer.
#include "random.h"
#include "timer.h"
#include <assert.h>
#include <stdio.h>

enum { TIMERS = 30, PRIORITIES = 3, STEPS = 300000, LONGEST_TICKS = 20 };

static struct timer *heap[TIMERS + 1];
static struct timers timers = {.heap = heap};
static struct timer each[TIMERS];
static uint32_t priorities[TIMERS], orders[TIMERS]; // an order of 0: the timer is not armed
static uint32_t next_order = 1;
static struct expired_timers expired;
static uint32_t turns[TIMERS]; // position among the expired timers; 0: not expired
static uint32_t next_turn = 1;

static bool model_is_before(int one, int other) {
    const int32_t later = (int32_t)(timer_due(&each[one]) - timer_due(&each[other]));
    if (later != 0) {
        return later < 0;
    }
    if (priorities[one] != priorities[other]) {
        return priorities[one] < priorities[other];
    }
    return orders[one] < orders[other];
}

static int model_first(void) {
    int first = -1;
    for (int i = 0; i < TIMERS; i++) {
        if (orders[i] != 0 && (first < 0 || model_is_before(i, first))) {
            first = i;
        }
    }
    return first;
}

static int model_first_expired(void) {
    int first = -1;
    for (int i = 0; i < TIMERS; i++) {
        if (turns[i] != 0 && (first < 0 || priorities[i] < priorities[first] ||
                              (priorities[i] == priorities[first] && turns[i] < turns[first]))) {
            first = i;
        }
    }
    return first;
}

static void take_expired(void) {
    const int first = model_first_expired();
    assert((expired.bitmap == 0) == (first < 0));
    if (first < 0) {
        return;
    }
    assert(1u << (31 - priorities[first]) <= expired.bitmap &&
           expired.bitmap >> (31 - priorities[first]) == 1);
    assert(expired.heads[priorities[first]] == &each[first]);
    const int any = (int)random_below(TIMERS);
    const int taken = turns[any] != 0 ? any : first;
    expired_remove(&expired, &each[taken]);
    assert(!timer_armed(&each[taken]));
    turns[taken] = 0;
}

static void expire(uint32_t now) {
    struct timer *due;
    while ((due = timers_due(&timers, now)) != NULL) {
        const int i = (int)(due - each);
        assert(timer_is_due(due, now) && model_first() == i);
        timer_disarm(&timers, due);
        assert(!timer_armed(due) && timer_priority(due) == priorities[i]);
        orders[i] = 0;
        if (random_below(2) == 0) {
            expired_add(&expired, due);
            assert(timer_armed(due));
            turns[i] = next_turn++;
        }
        if (random_below(4) == 0) {
            return;
        }
    }
    for (int i = 0; i < TIMERS; i++) {
        assert(orders[i] == 0 || (int32_t)(timer_due(&each[i]) - now) > 0);
    }
}

static void arm_or_disarm(uint32_t now) {
    const int i = (int)random_below(TIMERS);
    if (turns[i] != 0) {
        return;
    }
    assert(timer_armed(&each[i]) == (orders[i] != 0));
    if (orders[i] != 0) {
        timer_disarm(&timers, &each[i]);
        orders[i] = 0;
    } else {
        priorities[i] = random_below(PRIORITIES);
        timer_arm(&timers, &each[i], now + 1 + random_below(LONGEST_TICKS), priorities[i]);
        orders[i] = next_order++;
    }
}

static void assert_next(void) {
    const int first = model_first();
    assert(timers_next(&timers) == (first < 0 ? NULL : &each[first]));
}

int main(void) {
    uint32_t now = UINT32_MAX - STEPS / 4;
    for (int step = 0; step < STEPS; step++) {
        arm_or_disarm(now);
        assert_next();
        if (random_below(3) == 0) {
            take_expired();
        }
        if (random_below(2) == 0) {
            expire(++now);
        }
    }
    printf("timer: %d steps\n", STEPS);
    return 0;
}
