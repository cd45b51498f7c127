// SPDX-License-Identifier: MIT
//
// Model of semaphores: every count that is given is taken once, and no thread waits while the count
// is above 0.
#include "world.h"

static int32_t taken, offered;

static void take_within(uint32_t timeout_ticks) {
    const enum bulkhead_result result = bulkhead_semaphore_take(world_semaphores, timeout_ticks);
    world_require(result == BULKHEAD_OK || timeout_ticks != BULKHEAD_FOREVER,
                  "a take without a timeout failed");
    taken += result == BULKHEAD_OK;
}

static void give(void) {
    offered++;
    world_require(bulkhead_semaphore_give(world_semaphores) == BULKHEAD_OK,
                  "a give below the maximum was refused");
}

static void take_one(void) {
    take_within(BULKHEAD_FOREVER);
}

static void take_two(void) {
    take_one();
    take_one();
}

static void try_and_take(void) {
    take_within(BULKHEAD_NO_WAIT);
    take_within(1);
}

static void give_two(void) {
    give();
    give();
}

static void give_three(void) {
    give_two();
    give();
}

static void take_and_give(void) {
    take_one();
    give();
}

// Whether the first thread has begun, and whether it is suspended: it may continue only after it is
// resumed.
static bool has_begun, is_suspended;

static void take_resumed(void) {
    has_begun = true;
    take_one();
    world_require(!is_suspended, "a suspended thread went on");
}

static void suspend_give_and_resume(void) {
    is_suspended = has_begun && bulkhead_suspend(WORLD_THREAD) == BULKHEAD_OK;
    give();
    if (is_suspended) {
        is_suspended = false;
        world_require(bulkhead_resume(WORLD_THREAD) == BULKHEAD_OK, "a resumption was refused");
    }
}

static const char *wrong(bool rests) {
    const int32_t count = world_semaphores[0].count;
    const int32_t there = world_given() + offered;
    if (taken > there) {
        return "a count was taken twice";
    }
    if (rests && !world_all_ended()) {
        return "a thread waits for ever";
    }
    if (rests && (count > 0 ? count : 0) != there - taken) {
        return "a count was lost or made";
    }
    return NULL;
}

const struct scenario semaphore_scenarios[] = {
    {.name = "semaphore: two takers, one giver",
     .programs = {take_one, take_two, give_three},
     .priorities = {3, 4, 5},
     .maximum = 3,
     .wrong = wrong},
    {.name = "semaphore: giver above takers",
     .programs = {take_two, take_one, give_three},
     .priorities = {5, 5, 4},
     .maximum = 3,
     .wrong = wrong},
    {.name = "semaphore: timeouts",
     .programs = {try_and_take, take_one, give_two},
     .priorities = {4, 5, 5},
     .ticks = 2,
     .initial = 1,
     .maximum = 3,
     .wrong = wrong},
    {.name = "semaphore: given by interrupts",
     .programs = {take_two, NULL, take_and_give},
     .priorities = {5, 5, 5},
     .ticks = 1,
     .gives = 4,
     .maximum = 5,
     .wrong = wrong},
    {.name = "semaphore: equals that wait above a lower one",
     .programs = {take_one, take_one, take_one},
     .priorities = {4, 4, 5},
     .gives = 3,
     .maximum = 3,
     .wrong = wrong},
    {.name = "semaphore: a waiter that is suspended",
     .programs = {take_resumed, suspend_give_and_resume, take_and_give},
     .priorities = {3, 4, 5},
     .gives = 1,
     .maximum = 3,
     .wrong = wrong},
    {0},
};
