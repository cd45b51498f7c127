// SPDX-License-Identifier: MIT
//
// Tests calls that set event flags and that interrupts stop half-way, so that the kernel defers the
// rest. The prover, which has the lowest priority, sets a flag that eight waiters wait for: when
// the call returns, each waiter must have taken the flag once. Meanwhile a timer sets another flag,
// which wakes a thread of the highest priority (the meddler) during the prover's call. The meddler
// must see no half-way state. It sets, takes and clears flags of its own, and changes priorities of
// waiters.
//
// Afterwards all threads sleep, so that a device interrupts a timer that sets a flag while the idle
// thread is the current thread.
#include "device.h"
#include "handles.h"
#include "report.h"
#include <bulkhead/bulkhead.h>

enum { ROUNDS = 5000, WAITERS = 8, COMMON = 0x1, OWN = 0x2, TIMED = 0x4, NOBODYS = 0x8 };
enum { IDLE_TICKS = 600 };

volatile uint32_t sets_deferred, sets_deferred_again; // written by deferral_count.c
static volatile uint32_t rounds, had[WAITERS], own_taken, timed_taken, meddled;
static uint32_t state = 1;

static uint32_t random_below(uint32_t bound) {
    state = state * 1664525u + 1013904223u;
    return (state >> 16) % bound;
}

static bool take(uint32_t flag, uint32_t timeout_ticks) {
    uint32_t flags = flag;
    return bulkhead_flags_take_any(FLAGS_SHARED, &flags, timeout_ticks) == BULKHEAD_OK;
}

static volatile uint32_t waiters;

void waiter_main(void);
void waiter_main(void) {
    const uint32_t self = waiters++;
    for (;;) {
        require(take(COMMON, BULKHEAD_FOREVER), "a wait for ever ended");
        require(++had[self] == rounds, "a waiter had a flag twice, or not");
        bulkhead_notification_wait(BULKHEAD_FOREVER);
    }
}

// Timeout of the thread `fickle`. Its wait ends at the tick that stops a call of the prover, also
// when the kernel would test this waiter next. When the thread waits again, the kernel first
// completes the deferred rest of the call.
static volatile uint32_t fickle_ticks = 1;

void fickle_main(void);
void fickle_main(void) {
    for (;;) {
        uint32_t flags = COMMON;
        bulkhead_flags_wait_any(FLAGS_SHARED, &flags, fickle_ticks);
    }
}

void taker_main(void);
void taker_main(void) {
    for (;;) {
        require(take(OWN, BULKHEAD_FOREVER), "a wait for ever ended");
        own_taken++;
    }
}

void timed_main(void);
void timed_main(void) {
    uint32_t last_tick = 0;
    for (;;) {
        require(take(TIMED, BULKHEAD_FOREVER), "a wait for ever ended");
        require(bulkhead_page.ticks != last_tick, "a timer's set lay until the next");
        last_tick = bulkhead_page.ticks;
        timed_taken++;
    }
}

// Whether the flag is set that only the meddler sets and takes.
static bool kept;

static void meddle(void) {
    require(own_taken == meddled, "a set during another was lost, or woke twice");
    switch (random_below(6)) {
    case 0:
        bulkhead_flags_set(FLAGS_SHARED, OWN | NOBODYS);
        kept = true;
        meddled++;
        break;
    case 1:
        bulkhead_flags_clear(FLAGS_SHARED, NOBODYS);
        kept = false;
        break;
    case 2:
        bulkhead_set_priority(THREAD_W0 + random_below(WAITERS), 4 + random_below(8));
        break;
    case 3:
        require(!take(COMMON, BULKHEAD_NO_WAIT), "half a set was seen");
        break;
    case 4:
        require(take(NOBODYS, BULKHEAD_NO_WAIT) == kept, "a flag was lost, or not cleared");
        kept = false;
        break;
    default: // sleeps, so that the idle thread continues the deferred call
        break;
    }
}

void meddler_main(void);
void meddler_main(void) {
    for (;;) {
        require(bulkhead_semaphore_take(SEMAPHORE_TICKED, BULKHEAD_FOREVER) == BULKHEAD_OK,
                "the timer stopped");
        meddle();
    }
}

// The driver of a device that interrupts each call of the prover at a different instruction, and
// some calls twice.
void device_main(void);
void device_main(void) {
    for (;;) {
        bulkhead_interrupt_wait(INTERRUPT_DEVICE, BULKHEAD_FOREVER);
        device_acknowledge();
        device_change(DEVICE_PERIOD_CYCLES + random_below(DEVICE_PERIOD_CYCLES));
    }
}

// Requires that each waiter has taken the flag, then lets all of them wait for the next round.
static void require_all(void) {
    for (uint32_t each = 0; each < WAITERS; each++) {
        require(had[each] == rounds, "a set returned before a higher thread had its flag");
    }
    for (uint32_t each = 0; each < WAITERS; each++) {
        bulkhead_notify(THREAD_W0 + each);
    }
}

// Tests that the thread that waits for the timer's flag runs before the next tick, although only
// the idle thread can continue a deferred call. Otherwise the count of its runs is too low.
static uint32_t test_in_idle(void) {
    const uint32_t deferred_before = sets_deferred, taken_before = timed_taken;
    fickle_ticks = BULKHEAD_FOREVER;
    bulkhead_timer_start(TIMER_SETTING, 1, 1);
    bulkhead_delay(IDLE_TICKS);
    bulkhead_timer_stop(TIMER_SETTING);
    require(timed_taken - taken_before >= IDLE_TICKS - 1, "a set during idle was lost");
    return sets_deferred - deferred_before;
}

static void spin(volatile uint32_t turns) {
    while (turns != 0) {
        turns--;
    }
}

void prover_main(void);
void prover_main(void) {
    device_start(DEVICE_PERIOD_CYCLES);
    bulkhead_timer_start(TIMER_WAKING, 1, 1);
    bulkhead_timer_start(TIMER_SETTING, 2, 2);
    while (rounds < ROUNDS) {
        // A random length, so that the rounds are not in step with the ticks.
        spin(random_below(200));
        if (rounds == ROUNDS / 4) {
            // Lets the timer be due at every second tick. At the other ticks, timeouts of waiters
            // end.
            bulkhead_timer_start(TIMER_WAKING, 2, 2);
        }
        rounds++;
        bulkhead_flags_set(FLAGS_SHARED, COMMON);
        require_all();
    }
    bulkhead_timer_stop(TIMER_SETTING);
    bulkhead_timer_stop(TIMER_WAKING);
    require(2 * timed_taken + 4 > bulkhead_page.ticks, "a timer's set was lost");
    require(sets_deferred > ROUNDS / 50, "too few sets were stopped half-way");
    say("sets: stopped half-way ");
    say_number(sets_deferred);
    const uint32_t in_idle = test_in_idle();
    require(in_idle > IDLE_TICKS / 100, "too few sets were stopped during idle");
    say(", during idle ");
    say_number(in_idle);
    say(", again ");
    say_number(sets_deferred_again);
    require(sets_deferred_again >= LEAST_STOPPED_TWICE, "too few sets were stopped twice");
    succeed();
}
