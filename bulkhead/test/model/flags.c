// SPDX-License-Identifier: MIT
//
// Model of event flags: a flag that is set once is taken once, by the only thread that waits for
// it. No flag is lost, and no thread keeps waiting for flags that are set.
#include "world.h"

enum { ONE = 1, TWO = 2 };

static uint32_t takes; // number of times the hurrying thread took flag ONE

static void require_found(enum bulkhead_result result, uint32_t flags, uint32_t wanted) {
    world_require(result == BULKHEAD_OK, "a wait without a timeout failed");
    world_require((flags & wanted) != 0, "a wait ended without its flags");
    world_require((flags & BULKHEAD_FLAGS_WAITED) == 0, "the mark of waiters is seen as a flag");
}

static void take(uint32_t wanted) {
    uint32_t flags = wanted;
    require_found(bulkhead_flags_take_any(world_flags, &flags, BULKHEAD_FOREVER), flags, wanted);
}

static void take_all(uint32_t wanted) {
    uint32_t flags = wanted;
    require_found(bulkhead_flags_take_all(world_flags, &flags, BULKHEAD_FOREVER), flags, wanted);
    world_require((flags & wanted) == wanted, "some flags were taken for all");
}

// Waits for all flags in `wanted` without taking them. The first access is a normal load, not an
// exclusive one.
static void watch_all(uint32_t wanted) {
    uint32_t flags = wanted;
    world_point();
    require_found(bulkhead_flags_wait_all(world_flags, &flags, BULKHEAD_FOREVER), flags, wanted);
    world_require((flags & wanted) == wanted, "some flags were taken for all");
}

static void take_in_time(uint32_t timeout_ticks) {
    uint32_t flags = ONE;
    takes += bulkhead_flags_take_any(world_flags, &flags, timeout_ticks) == BULKHEAD_OK;
}

static void set(uint32_t flags) {
    world_require(bulkhead_flags_set(world_flags, flags) == BULKHEAD_OK, "a set failed");
}

static void clear(uint32_t flags) {
    world_require(bulkhead_flags_clear(world_flags, flags) == BULKHEAD_OK, "a clear failed");
}

static void takes_one(void) {
    take(ONE);
}

static void takes_two(void) {
    take(TWO);
}

static void takes_all(void) {
    take_all(ONE | TWO);
}

static void watches_and_clears(void) {
    watch_all(ONE | TWO);
    clear(ONE | TWO);
}

static void takes_interrupts(void) {
    take(WORLD_SET_BY_INTERRUPTS);
}

static void takes_with_timeout(void) {
    take_in_time(1);
    take_in_time(BULKHEAD_NO_WAIT);
}

static void sets_both(void) {
    set(ONE | TWO);
}

static void sets_one(void) {
    set(ONE);
}

static void sets_two(void) {
    set(TWO);
}

static void sets_one_and_two(void) {
    set(ONE);
    set(TWO);
}

static void sets_and_takes_two(void) {
    set(TWO);
    take(TWO);
}

static void sets_and_clears_one(void) {
    set(ONE);
    clear(ONE);
}

static const char *wrong(bool rests) {
    if (rests && !world_all_ended()) {
        return "a thread waits for ever";
    }
    return rests && world_flags[0].word != 0 ? "a flag was lost, or taken and stays" : NULL;
}

static const char *wrong_in_time(bool rests) {
    if (rests && !world_all_ended()) {
        return "a thread waits for ever";
    }
    return rests && takes + world_flags[0].word != ONE ? "a flag was lost or taken twice" : NULL;
}

const struct scenario flags_scenarios[] = {
    {.name = "flags: each takes its own",
     .programs = {takes_one, takes_two, sets_one_and_two},
     .priorities = {3, 4, 5},
     .wrong = wrong},
    {.name = "flags: equals",
     .programs = {takes_one, takes_two, sets_one_and_two},
     .priorities = {5, 5, 5},
     .wrong = wrong},
    {.name = "flags: all of two setters'",
     .programs = {takes_all, sets_one, sets_two},
     .priorities = {4, 3, 5},
     .ticks = 1,
     .wrong = wrong},
    {.name = "flags: watched and cleared",
     .programs = {watches_and_clears, sets_one, sets_two},
     .priorities = {4, 3, 5},
     .wrong = wrong},
    {.name = "flags: a clear between",
     .programs = {sets_and_clears_one, takes_two, sets_two},
     .priorities = {4, 5, 3},
     .wrong = wrong},
    {.name = "flags: set by interrupts",
     .programs = {takes_interrupts, takes_one, sets_one},
     .priorities = {4, 5, 5},
     .sets = 1,
     .wrong = wrong},
    {.name = "flags: timeouts",
     .programs = {takes_with_timeout, sets_and_takes_two, sets_one},
     .priorities = {4, 5, 5},
     .ticks = 2,
     .wrong = wrong_in_time},
    {.name = "flags: timeouts, in pieces",
     .programs = {takes_two, takes_with_timeout, sets_both},
     .priorities = {3, 4, 5},
     .ticks = 2,
     .in_pieces = true,
     .wrong = wrong_in_time},
    {.name = "flags: each takes its own, in pieces",
     .programs = {takes_one, takes_two, sets_both},
     .priorities = {3, 4, 5},
     .in_pieces = true,
     .wrong = wrong},
    {0},
};
