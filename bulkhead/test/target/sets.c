// SPDX-License-Identifier: MIT
//
// Sets of event flags that interrupts stop half-way. The prover, below all others, sets a flag that
// eight waiters take, and each of them must have had it once when the call returns. Meanwhile a
// timer sets another flag, and wakes a meddler during the set, above all others. The meddler must
// see nothing of the set. It sets flags of its own, takes and clears some, and moves waiters to
// other priorities.
//
// Then all threads sleep, so that a device stops a timer's set while idle is the current thread.
#include "device.h"
#include "handles.h"
#include "report.h"
#include <bulkhead/bulkhead.h>

enum { ROUNDS = 5000, WAITERS = 8, COMMON = 0x1, OWN = 0x2, TIMED = 0x4, NOBODYS = 0x8 };
enum { IDLE_TICKS = 600 };

volatile uint32_t sets_deferred, sets_deferred_again; // deferral_count.c
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

// Leaves the waiters at the tick that stops a set, also as the waiter that the set is about to
// test. Its next wait goes on with the set, so that no other thread has to.
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

// Returns whether the flag that only the meddler takes is set.
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
    default: // lets idle go on with the set
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

// Interrupts at other places of each set, also twice in one set.
void device_main(void);
void device_main(void) {
    for (;;) {
        bulkhead_interrupt_wait(INTERRUPT_DEVICE, BULKHEAD_FOREVER);
        device_acknowledge();
        device_change(DEVICE_PERIOD_CYCLES + random_below(DEVICE_PERIOD_CYCLES));
    }
}

// Requires that all waiters had the flag. Each of them then waits for the next round.
static void require_all(void) {
    for (uint32_t each = 0; each < WAITERS; each++) {
        require(had[each] == rounds, "a set returned before a higher thread had its flag");
    }
    for (uint32_t each = 0; each < WAITERS; each++) {
        bulkhead_notify(THREAD_W0 + each);
    }
}

// Tests that the waiter of each set of the timer runs by the next tick; otherwise the count is too
// low. Only idle goes on with a stopped set.
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
        spin(random_below(200)); // rounds must not beat with the ticks
        if (rounds == ROUNDS / 4) {
            bulkhead_timer_start(TIMER_WAKING, 2, 2); // at the ticks between, waiters leave first
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
