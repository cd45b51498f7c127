// SPDX-License-Identifier: MIT
//
// Tests of thread flags and event flags.
#include "cases.h"
#include <string.h>

enum { ANY = osFlagsWaitAny, ALL = osFlagsWaitAll, KEEP = osFlagsNoClear };

static osThreadId_t tester;
static osEventFlagsId_t events;
static volatile uint32_t got;

// --- Threads -------------------------------------------------------------------------------------

static void wait_for_two(void *argument) {
    (void)argument;
    got = osThreadFlagsWait(3, ALL, osWaitForever);
}

static void answer(void *argument) {
    (void)argument;
    osDelay(2);
    CHECK(osThreadFlagsSet(tester, 0x40000000) == 0); // the waiter has taken it
}

static void own_flags(void) {
    CHECK(osThreadFlagsClear(0x7fffffff) == 0 && osThreadFlagsGet() == 0);
    CHECK(osThreadFlagsSet(tester, 5) == 5 && osThreadFlagsGet() == 5);
    CHECK(osThreadFlagsClear(1) == 5 && osThreadFlagsGet() == 4);
    CHECK(osThreadFlagsWait(4, ANY | KEEP, 0) == 4 && osThreadFlagsWait(4, ANY, 0) == 4);
    CHECK(osThreadFlagsGet() == 0);
    CHECK(osThreadFlagsSet(NULL, 1) == osFlagsErrorParameter);
    CHECK(osThreadFlagsSet(tester, 0x80000000) == osFlagsErrorParameter);
    CHECK(osThreadFlagsClear(0x80000000) == osFlagsErrorParameter);
    CHECK(osThreadFlagsWait(0x80000000, ANY, 0) == osFlagsErrorParameter);
    CHECK(osThreadFlagsWait(1, 4, 0) == osFlagsErrorParameter);
    CHECK(osThreadFlagsWait(1, ANY, 0) == osFlagsErrorResource);
}

static void between_threads(void) {
    got = 0;
    const osThreadId_t waiter = start(wait_for_two, osPriorityHigh);
    CHECK(osThreadFlagsSet(waiter, 1) == 1 && got == 0);
    CHECK(osThreadGetState(waiter) == osThreadBlocked);
    (void)osThreadFlagsSet(waiter, 2);
    CHECK(got == 3);
    start(answer, osPriorityHigh);
    CHECK(osThreadFlagsWait(0x40000000, ALL, osWaitForever) == 0x40000000);
    wait_for_ends();
}

// A new thread has no flags, whatever flags the earlier thread in the same table entry had.
static void new_flags(void) {
    got = 1;
    const osThreadId_t waiter = start(wait_for_two, osPriorityLow);
    CHECK(osThreadFlagsSet(waiter, 7) == 7);
    wait_for_ends();
    CHECK(got == 7);
    const osThreadId_t again = start(wait_for_two, osPriorityHigh);
    CHECK(again == waiter && osThreadFlagsSet(again, 1) == 1);
    (void)osThreadFlagsSet(again, 2);
    wait_for_ends();
}

static void times_out(void) {
    const uint32_t before = osKernelGetTickCount();
    CHECK(osThreadFlagsSet(tester, 1) == 1);
    CHECK(osThreadFlagsWait(3, ALL, 4) == osFlagsErrorTimeout);
    CHECK(osKernelGetTickCount() == before + 4 && osThreadFlagsGet() == 1);
    CHECK(osThreadFlagsClear(1) == 1);
}

// --- Events --------------------------------------------------------------------------------------

static void wait_for_event(void *argument) {
    (void)argument;
    const uint32_t found = osEventFlagsWait(events, 0x30, ANY, osWaitForever);
    got += found;
}

static void creation(void) {
    const osEventFlagsAttr_t named = {.name = "events"};
    const osEventFlagsAttr_t refused = {.attr_bits = 1};
    events = osEventFlagsNew(&named);
    const osEventFlagsId_t second = osEventFlagsNew(NULL);
    CHECK(events != NULL && second != NULL && osEventFlagsNew(NULL) == NULL);
    CHECK(strcmp(osEventFlagsGetName(events), "events") == 0);
    CHECK(osEventFlagsGetName(second) == NULL && osEventFlagsGetName(NULL) == NULL);
    CHECK(osEventFlagsSet(second, 9) == 9);
    CHECK(osEventFlagsDelete(second) == osOK && osEventFlagsDelete(second) == osErrorParameter);
    CHECK(osEventFlagsNew(&refused) == NULL);
    const osEventFlagsId_t again = osEventFlagsNew(NULL);
    CHECK(again == second && osEventFlagsGet(again) == 0 && osEventFlagsDelete(again) == osOK);
}

static void event_flags(void) {
    CHECK(osEventFlagsSet(events, 6) == 6 && osEventFlagsGet(events) == 6);
    CHECK(osEventFlagsClear(events, 2) == 6 && osEventFlagsGet(events) == 4);
    CHECK(osEventFlagsWait(events, 5, ALL, 0) == osFlagsErrorResource);
    CHECK(osEventFlagsWait(events, 5, ALL, 3) == osFlagsErrorTimeout);
    CHECK(osEventFlagsWait(events, 5, ANY | KEEP, 0) == 4);
    CHECK(osEventFlagsSet(events, 1) == 5 && osEventFlagsWait(events, 5, ALL, 0) == 5);
    CHECK(osEventFlagsGet(events) == 0);
    CHECK(osEventFlagsSet(events, 0x80000001) == osFlagsErrorParameter);
    CHECK(osEventFlagsWait(events, 0x80000000, ANY, 0) == osFlagsErrorParameter);
    CHECK(osEventFlagsWait(events, 1, 8, 0) == osFlagsErrorParameter);
    CHECK(osEventFlagsSet(no_object, 1) == osFlagsErrorParameter);
    CHECK(osEventFlagsClear(NULL, 1) == osFlagsErrorParameter && osEventFlagsGet(NULL) == 0);
    CHECK(osEventFlagsWait(NULL, 1, ANY, 0) == osFlagsErrorParameter);
}

// osEventFlagsSet wakes every thread whose condition holds, although the first of them clears the
// flag.
static void waiters(void) {
    got = 0;
    start(wait_for_event, osPriorityHigh);
    start(wait_for_event, osPriorityHigh1);
    CHECK(osEventFlagsDelete(events) == osErrorResource); // threads wait for it
    (void)osEventFlagsSet(events, 0x10);
    CHECK(got == 2 * 0x10 && osEventFlagsGet(events) == 0);
    wait_for_ends();
    CHECK(osEventFlagsDelete(events) == osOK && osEventFlagsDelete(NULL) == osErrorParameter);
}

void flags_cases(void) {
    tester = osThreadGetId();
    own_flags();
    between_threads();
    new_flags();
    times_out();
    creation();
    event_flags();
    waiters();
}
