// SPDX-License-Identifier: MIT
//
// Tests of mutexes.
#include "cases.h"
#include <string.h>

static osMutexId_t mutex;
static volatile osStatus_t status;
static volatile uint32_t turns[3], turn;

static void creation(void) {
    const osMutexAttr_t named = {.name = "mutex", .attr_bits = osMutexPrioInherit | osMutexRobust};
    const osMutexAttr_t refused = {.attr_bits = 4};
    mutex = osMutexNew(&named);
    const osMutexId_t second = osMutexNew(NULL);
    CHECK(mutex != NULL && second != NULL && osMutexNew(NULL) == NULL);
    CHECK(strcmp(osMutexGetName(mutex), "mutex") == 0);
    CHECK(osMutexGetName(second) == NULL && osMutexGetName(NULL) == NULL);
    CHECK(osMutexDelete(second) == osOK && osMutexDelete(second) == osErrorParameter);
    CHECK(osMutexNew(&refused) == NULL && osMutexDelete(NULL) == osErrorParameter);
}

static void acquire(void *argument) {
    (void)argument;
    status = osMutexAcquire(mutex, 3);
    if (status == osOK) {
        osDelay(1);
        CHECK(osMutexRelease(mutex) == osOK);
    }
}

static void release(void *argument) {
    (void)argument;
    status = osMutexRelease(mutex);
}

static void ownership(void) {
    CHECK(osMutexGetOwner(mutex) == NULL && osMutexGetOwner(NULL) == NULL);
    CHECK(osMutexRelease(mutex) == osErrorResource);
    CHECK(osMutexAcquire(mutex, 0) == osOK && osMutexGetOwner(mutex) == osThreadGetId());
    CHECK(osMutexAcquire(mutex, 0) == osErrorResource); // not recursive
    CHECK(osMutexAcquire(mutex, 5) == osErrorResource);
    start(release, osPriorityHigh);
    CHECK(status == osErrorResource);
    CHECK(osMutexRelease(mutex) == osOK && osMutexRelease(mutex) == osErrorResource);
    CHECK(osMutexAcquire(NULL, 0) == osErrorParameter && osMutexRelease(NULL) == osErrorParameter);
    CHECK(osMutexAcquire(no_object, 0) == osErrorParameter);
}

static void try_acquire(void *argument) {
    (void)argument;
    status = osMutexAcquire(mutex, 0);
}

static void timeouts(void) {
    CHECK(osMutexAcquire(mutex, osWaitForever) == osOK);
    start(try_acquire, osPriorityHigh);
    CHECK(status == osErrorResource);
    const uint32_t before = osKernelGetTickCount();
    start(acquire, osPriorityHigh);
    CHECK(osMutexDelete(mutex) == osErrorResource); // a thread waits for it
    osDelay(4);
    CHECK(status == osErrorTimeout && osKernelGetTickCount() == before + 4);
    start(acquire, osPriorityHigh);
    CHECK(osMutexRelease(mutex) == osOK);
    CHECK(osMutexGetOwner(mutex) != osThreadGetId());
    CHECK(osMutexDelete(mutex) == osErrorResource); // another thread holds it
    CHECK(osMutexAcquire(mutex, osWaitForever) == osOK && status == osOK);
    CHECK(osMutexRelease(mutex) == osOK);
    wait_for_ends();
}

static void recursion(void) {
    const osMutexAttr_t recursive = {.attr_bits = osMutexRecursive};
    const osMutexId_t plain = mutex;
    mutex = osMutexNew(&recursive);
    for (uint32_t i = 0; i < 3; i++) {
        CHECK(osMutexAcquire(mutex, 0) == osOK);
    }
    for (uint32_t i = 0; i < 3; i++) {
        start(try_acquire, osPriorityHigh);
        CHECK(status == osErrorResource);
        CHECK(osMutexRelease(mutex) == osOK);
    }
    CHECK(osMutexRelease(mutex) == osErrorResource);
    CHECK(osMutexDelete(mutex) == osOK);
    mutex = plain;
}

static void take_turn(uint32_t number) {
    turns[turn++] = number;
}

static void low(void *argument) {
    (void)argument;
    CHECK(osMutexAcquire(mutex, 0) == osOK);
    osDelay(1);
    take_turn(1);
    CHECK(osMutexRelease(mutex) == osOK);
}

static void medium(void *argument) {
    (void)argument;
    osDelay(1);
    take_turn(2);
}

static void high(void *argument) {
    (void)argument;
    CHECK(osMutexAcquire(mutex, osWaitForever) == osOK);
    take_turn(3);
    CHECK(osMutexRelease(mutex) == osOK);
}

// The holder inherits the priority of the highest waiting thread, so a thread with a priority
// between the two runs last.
static void inheritance(void) {
    turn = 0;
    start(low, osPriorityAboveNormal);
    start(medium, osPriorityAboveNormal1);
    start(high, osPriorityAboveNormal2);
    wait_for_ends();
    CHECK(turns[0] == 1 && turns[1] == 3 && turns[2] == 2);
}

static void end_holding(void *argument) {
    (void)argument;
    CHECK(osMutexAcquire(mutex, 0) == osOK && osMutexAcquire(mutex, 0) == osOK);
    osDelay(2);
}

// A robust mutex is free after its holder has ended, whether or not a thread waits for it, and the
// next holder has to release it only once.
static void holder_ends(void) {
    const osMutexAttr_t robust = {.attr_bits = osMutexRobust | osMutexRecursive};
    const osMutexId_t plain = mutex;
    mutex = osMutexNew(&robust);
    for (uint32_t waits = 0; waits < 2; waits++) {
        start(end_holding, osPriorityHigh);
        osDelay(waits ? 1 : 3);
        CHECK(osMutexAcquire(mutex, waits ? osWaitForever : 0) == osOK);
        CHECK(osMutexRelease(mutex) == osOK && osMutexRelease(mutex) == osErrorResource);
        wait_for_ends();
    }
    CHECK(osMutexDelete(mutex) == osOK);
    mutex = plain;
}

void mutex_cases(void) {
    creation();
    ownership();
    timeouts();
    recursion();
    inheritance();
    holder_ends();
    CHECK(osMutexAcquire(mutex, 0) == osOK);
    CHECK(osMutexDelete(mutex) == osOK); // its holder may delete it
}
