// SPDX-License-Identifier: MIT
//
// Tests ticks at which the timeouts of many threads (the sleepers) end. A device interrupts at
// arbitrary times, and its driver measures the delay from the interrupt to its own start. The delay
// must not be longer with 50 timers due than with 10: the kernel handles at most one due timer
// before it serves the interrupt, and handles the other ones at the priorities of their threads.
// The first sleeper has a higher priority than the driver, all other sleepers have a lower one.
//
// Then a thread above the sleepers (the meddler) tests what may happen to a timer that is due but
// not handled yet: its thread is woken by another cause, gets another priority, or has to wait
// beyond the next tick.
#include "device_wait.h"
#include "report.h"

enum { PERIOD_CYCLES = 97 };
enum { SLEEPERS = 50, ROUNDS = 60, MEDDLED_ROUNDS = 200, CALM_ROUNDS = 4 };

static volatile uint32_t first_round, last_round; // ticks
static volatile enum mode { ON_TIME, MEDDLED, MOVED } mode;
// The sleeper that woke first, in the test that changes the priority of a sleeper.
static volatile uint32_t first_awake;
// Number of sleeps of each sleeper; the index 0 is the highest initial priority.
static volatile uint32_t slept[SLEEPERS];
static volatile uint32_t latest_cycles;
static volatile uint32_t given, taken;
volatile uint32_t timers_deferred; // written by due_count.c
static uint32_t state = 1;

static uint32_t random_below(uint32_t bound) {
    state = state * 1664525u + 1013904223u;
    return (state >> 16) % bound;
}

// --- The driver ----------------------------------------------------------------------------------

void device_main(void);
void device_main(void) {
    for (;;) {
        const uint32_t late_cycles = device_wait();
        if (late_cycles > latest_cycles) {
            latest_cycles = late_cycles;
        }
    }
}

// --- Sleepers ------------------------------------------------------------------------------------

// Sleeps once, and requires that the wake-up is at the tick at which the sleep ends.
static void sleep_on_time(uint32_t self) {
    for (uint32_t round = first_round; round != last_round; round++) {
        require(bulkhead_delay_until(round) == BULKHEAD_OK,
                "a sleeper came too late for the next tick");
        require(bulkhead_page.ticks == round, "a sleeper was woken at another tick");
        slept[self]++;
    }
}

// Waits for a tick, or until the meddler gives the semaphore.
static void sleep_meddled(uint32_t self) {
    while ((int32_t)(last_round - bulkhead_page.ticks) >= 0) {
        if (bulkhead_semaphore_take(SEMAPHORE_GIVEN, 1) == BULKHEAD_OK) {
            taken++;
        } else {
            slept[self]++;
        }
    }
}

static void sleep_moved(uint32_t self) {
    bulkhead_delay_until(first_round);
    if (first_awake == SLEEPERS) {
        first_awake = self;
    }
}

static volatile uint32_t sleepers;

void sleeper_main(void);
void sleeper_main(void) {
    const uint32_t self = sleepers++;
    for (;;) {
        bulkhead_notification_wait(BULKHEAD_FOREVER);
        switch (mode) {
        case ON_TIME:
            sleep_on_time(self);
            break;
        case MEDDLED:
            sleep_meddled(self);
            break;
        case MOVED:
            sleep_moved(self);
            break;
        }
    }
}

// Returns when each of `count` sleepers has slept `rounds` times.
static void sleep_all(uint32_t count, uint32_t rounds) {
    first_round = bulkhead_page.ticks + 2;
    last_round = first_round + rounds;
    for (uint32_t each = 0; each < SLEEPERS; each++) {
        slept[each] = 0;
    }
    for (uint32_t each = 0; each < count; each++) {
        bulkhead_notify(THREAD_S00 + each);
    }
    bulkhead_delay_until(last_round + CALM_ROUNDS);
}

// --- The meddler ---------------------------------------------------------------------------------

static void spin_past_tick(void) {
    const uint32_t tick = bulkhead_page.ticks;
    while (bulkhead_page.ticks - tick < 2) {
    }
}

static void meddle(void) {
    switch (random_below(4)) {
    case 0:
        given += bulkhead_semaphore_give(SEMAPHORE_GIVEN) == BULKHEAD_OK;
        break;
    case 1:
        bulkhead_set_priority(THREAD_S00 + 1 + random_below(SLEEPERS - 1), 4 + random_below(25));
        break;
    case 2:
        spin_past_tick();
        break;
    default: // sleeps, so that the idle thread handles the remaining timers
        break;
    }
}

// A periodic timer wakes the meddler. This timer is due at the same ticks as the sleeps of the
// sleepers, and the kernel handles it first.
void meddler_main(void);
void meddler_main(void) {
    for (;;) {
        require(bulkhead_semaphore_take(SEMAPHORE_TICKED, BULKHEAD_FOREVER) == BULKHEAD_OK,
                "the timer stopped");
        meddle();
    }
}

// --- The prover ----------------------------------------------------------------------------------

static uint32_t slept_by_all(void) {
    uint32_t sum = 0;
    for (uint32_t each = 0; each < SLEEPERS; each++) {
        sum += slept[each];
    }
    return sum;
}

static uint32_t latest_with(uint32_t count) {
    latest_cycles = 0;
    device_start(PERIOD_CYCLES);
    sleep_all(count, ROUNDS);
    device_stop();
    require(slept_by_all() == count * ROUNDS, "a timeout was lost");
    return latest_cycles;
}

static void test_latency(void) {
    const uint32_t one = latest_with(1), ten = latest_with(10), fifty = latest_with(50);
    say("due: 1, 10, 50 at a tick: late by ");
    say_number(one);
    say(", ");
    say_number(ten);
    say(", ");
    say_number(fifty);
    say(" cycles");
    require(fifty <= 3 * one, "late by what is due");
}

// Tests a sleeper whose priority is raised above that of another sleeper with the same due tick:
// the kernel handles the timer of the raised sleeper first.
static void test_moved(void) {
    mode = MOVED;
    first_awake = SLEEPERS;
    first_round = bulkhead_page.ticks + 2;
    bulkhead_notify(THREAD_S48);
    bulkhead_notify(THREAD_S49);
    bulkhead_set_priority(THREAD_S49, 9);
    bulkhead_delay_until(first_round + CALM_ROUNDS);
    bulkhead_set_priority(THREAD_S49, 19);
    require(first_awake == SLEEPERS - 1, "a timer has the priority that its thread had before");
}

static void test_meddled(void) {
    mode = MEDDLED;
    device_start(PERIOD_CYCLES);
    bulkhead_timer_start(TIMER_TICKING, 1, 1);
    sleep_all(SLEEPERS, MEDDLED_ROUNDS);
    bulkhead_timer_stop(TIMER_TICKING);
    device_stop();
    for (uint32_t each = 0; each < SLEEPERS; each++) {
        require(slept[each] > MEDDLED_ROUNDS / 8, "a timeout was lost");
    }
    require(slept[0] >= MEDDLED_ROUNDS, "a timeout was hidden by those of lower threads");
    while (bulkhead_semaphore_take(SEMAPHORE_GIVEN, BULKHEAD_NO_WAIT) == BULKHEAD_OK) {
        taken++;
    }
    require(taken == given && given > MEDDLED_ROUNDS / 16, "a count was lost, or taken twice");
}

void prover_main(void);
void prover_main(void) {
    test_latency();
    require(timers_deferred > ROUNDS / 2, "too few ticks were stopped");
    test_moved();
    test_meddled();
    say("; stopped ");
    say_number(timers_deferred);
    succeed();
}
