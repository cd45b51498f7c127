// SPDX-License-Identifier: MIT
//
// The hog of budget.c: a process that takes as much processor time as it can get.
#include "budget.h"
#include <bulkhead/bulkhead.h>
#include <handles.h>

void hog_a_main(void);
void hog_b_main(void);
void hog_c_main(void);
void hog_d_main(void);

// Runs until the judge chooses a way other than `way`.
static void spin(uint32_t way) {
    while (hog_way == way) {
        hog_turns++;
    }
}

static void spin_until(uint32_t tick) {
    while ((int32_t)(bulkhead_ticks() - tick) < 0) {
        hog_turns++;
    }
}

static void spin_part_of_tick(void) {
    spin_times(hog_part_spins);
}

static void fault(void) {
    *(volatile uint32_t *)0xFFFFFFF0u = 0;
}

static void call(void) {
    bulkhead_yield();
    (void)bulkhead_semaphore_give(SEMAPHORE_READY);
    (void)bulkhead_semaphore_take(SEMAPHORE_READY, BULKHEAD_NO_WAIT);
    (void)bulkhead_set_priority(THREAD_HOG_B, 4);
}

// Runs after a tick and sleeps before the next tick, so that no tick interrupts this thread.
static void spin_over_tick(void) {
    spin_part_of_tick();
    bulkhead_delay(1);
}

static void spin_at_end_of_period(void) {
    const uint32_t tick = bulkhead_ticks();
    (void)bulkhead_delay_until(tick + BUDGET_PERIOD_TICKS - BUDGET_TICKS);
    spin_until(tick + 2 * BUDGET_PERIOD_TICKS);
}

static void start_other(void) {
    (void)bulkhead_start_thread(THREAD_HOG_C);
    spin_part_of_tick();
    (void)bulkhead_join(THREAD_HOG_C, BULKHEAD_FOREVER);
}

static void spin_raised(void) {
    (void)bulkhead_set_priority(THREAD_HOG_A, 2);
    spin(HOG_RAISED);
    (void)bulkhead_set_priority(THREAD_HOG_A, 4);
}

static void spin_woken_by_timer(void) {
    (void)bulkhead_timer_start(TIMER_ALARM, 1, 1);
    (void)bulkhead_semaphore_take(SEMAPHORE_READY, BULKHEAD_FOREVER);
    spin_part_of_tick();
}

static void turn(uint32_t way) {
    switch (way) {
    case HOG_SPINS:
    case HOG_SPINS_ALL:
        spin(way);
        break;
    case HOG_CALLS:
        call();
        break;
    case HOG_OVER_TICK:
        spin_over_tick();
        break;
    case HOG_OVER_PERIOD:
        spin_at_end_of_period();
        break;
    case HOG_FAULTS:
        fault();
        break;
    case HOG_SPINS_FAULT:
        spin_part_of_tick();
        fault();
        break;
    case HOG_STARTS:
        start_other();
        break;
    case HOG_RAISED:
        spin_raised();
        break;
    case HOG_TIMERS:
        spin_woken_by_timer();
        break;
    default:
        bulkhead_delay(2 * BUDGET_PERIOD_TICKS);
        break;
    }
}

void hog_a_main(void) {
    for (;;) {
        hog_turns++;
        turn(hog_way);
    }
}

// The second thread, for the ways that need more than one thread.
void hog_b_main(void) {
    for (;;) {
        if (hog_way == HOG_SPINS_ALL) {
            spin(HOG_SPINS_ALL);
        } else if (hog_way == HOG_CALLS) {
            call();
        } else {
            bulkhead_delay(2 * BUDGET_PERIOD_TICKS);
        }
    }
}

void hog_c_main(void) {
    spin_part_of_tick();
}

void hog_d_main(void) {
    uint32_t words[4] = {0};
    for (;;) {
        uint32_t client = 0;
        (void)bulkhead_gate_receive(GATE_HOGS, words, &client, BULKHEAD_FOREVER);
        spin(HOG_SERVES);
        if (hog_way == HOG_ANSWERS) {
            spin_part_of_tick();
        }
    }
}
