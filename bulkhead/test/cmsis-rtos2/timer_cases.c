// SPDX-License-Identifier: MIT
//
// Tests of timers.
#include "cases.h"
#include <string.h>

static osTimerId_t once, periodic;
static volatile uint32_t calls, other_calls;
static const void *volatile last_argument;

static void count(void *argument) {
    last_argument = argument;
    calls++;
}

static void count_other(void *argument) {
    (void)argument;
    other_calls++;
    if (other_calls == 3) {
        CHECK(osTimerStop(periodic) == osOK); // a timer may stop itself
    }
}

static void creation(void) {
    const osTimerAttr_t named = {.name = "timer"};
    CHECK(osTimerNew(NULL, osTimerOnce, NULL, NULL) == NULL);
    CHECK(osTimerNew(count, (osTimerType_t)2, NULL, NULL) == NULL);
    once = osTimerNew(count, osTimerOnce, no_object, &named);
    periodic = osTimerNew(count_other, osTimerPeriodic, NULL, NULL);
    CHECK(once != NULL && periodic != NULL && osTimerNew(count, osTimerOnce, NULL, NULL) == NULL);
    CHECK(strcmp(osTimerGetName(once), "timer") == 0);
    CHECK(osTimerGetName(periodic) == NULL && osTimerGetName(NULL) == NULL);
    CHECK(osTimerIsRunning(once) == 0 && osTimerIsRunning(NULL) == 0);
    CHECK(osTimerStart(NULL, 1) == osErrorParameter && osTimerStop(NULL) == osErrorParameter);
    CHECK(osTimerStart(once, 0) == osErrorParameter && osTimerStop(once) == osErrorResource);
    CHECK(osTimerStart(once, 0x80000000) == osErrorParameter && osTimerIsRunning(once) == 0);
}

static void one_shot(void) {
    CHECK(osTimerStart(once, 3) == osOK && osTimerIsRunning(once) == 1);
    CHECK(osTimerStart(once, 0x80000000) == osErrorParameter); // changes nothing
    osDelay(2);
    CHECK(calls == 0);
    osDelay(1);
    CHECK(calls == 1 && last_argument == no_object && osTimerIsRunning(once) == 0);
    osDelay(4);
    CHECK(calls == 1 && osTimerStop(once) == osErrorResource);
}

// A timer that is started again expires later; a timer that is stopped does not expire.
static void restart(void) {
    CHECK(osTimerStart(once, 3) == osOK);
    osDelay(2);
    CHECK(osTimerStart(once, 3) == osOK);
    osDelay(2);
    CHECK(calls == 1);
    osDelay(1);
    CHECK(calls == 2);
    CHECK(osTimerStart(once, 1) == osOK && osTimerStop(once) == osOK);
    osDelay(2);
    CHECK(calls == 2);
}

static void periods(void) {
    CHECK(osTimerStart(periodic, 2) == osOK);
    osDelay(5);
    CHECK(other_calls == 2 && osTimerIsRunning(periodic) == 1);
    osDelay(5);
    CHECK(other_calls == 3 && osTimerIsRunning(periodic) == 0);
}

// Returns with the kernel locked and the timer `once` expired, before its function was called.
static void be_due(void) {
    const uint32_t before = osKernelGetTickCount();
    CHECK(osTimerStart(once, 1) == osOK && osKernelLock() == 0);
    while (osKernelGetTickCount() - before < 3) {
    }
    CHECK(calls == 2);
}

// The function of an expired timer is not called if the timer is stopped or started again first.
static void changed_when_due(void) {
    be_due();
    CHECK(osTimerStop(once) == osOK && osKernelUnlock() == 1);
    osDelay(1);
    CHECK(calls == 2);
    be_due();
    CHECK(osTimerStart(once, 100) == osOK && osKernelUnlock() == 1);
    osDelay(1);
    CHECK(calls == 2 && osTimerIsRunning(once) == 1 && osTimerStop(once) == osOK);
}

static void deletion(void) {
    CHECK(osTimerStart(once, 1) == osOK && osTimerDelete(once) == osOK);
    osDelay(2);
    CHECK(calls == 2 && osTimerDelete(once) == osErrorParameter);
    CHECK(osTimerDelete(periodic) == osOK && osTimerDelete(NULL) == osErrorParameter);
}

void timer_cases(void) {
    creation();
    one_shot();
    restart();
    periods();
    changed_when_due();
    deletion();
}
