// SPDX-License-Identifier: MIT
//
// Tests of semaphores.
#include "cases.h"
#include <string.h>

static osSemaphoreId_t semaphore;
static volatile uint32_t order[2], count;
static volatile osStatus_t status;

static void creation(void) {
    const osSemaphoreAttr_t named = {.name = "semaphore"};
    CHECK(osSemaphoreNew(0, 0, NULL) == NULL); // no count
    CHECK(osSemaphoreNew(1, 2, NULL) == NULL); // more than the maximum
    CHECK(osSemaphoreNew(2, 0, NULL) == NULL); // no declared one has this maximum
    semaphore = osSemaphoreNew(5, 2, &named);
    const osSemaphoreId_t binary = osSemaphoreNew(1, 1, NULL);
    CHECK(semaphore != NULL && binary != NULL && osSemaphoreNew(1, 1, NULL) == NULL);
    CHECK(strcmp(osSemaphoreGetName(semaphore), "semaphore") == 0);
    CHECK(osSemaphoreGetName(binary) == NULL && osSemaphoreGetName(NULL) == NULL);
    CHECK(osSemaphoreGetCount(binary) == 1 && osSemaphoreGetCount(NULL) == 0);
    CHECK(osSemaphoreDelete(binary) == osOK && osSemaphoreDelete(binary) == osErrorParameter);
}

static void counts(void) {
    CHECK(osSemaphoreAcquire(semaphore, 0) == osOK && osSemaphoreGetCount(semaphore) == 1);
    CHECK(osSemaphoreAcquire(semaphore, 5) == osOK && osSemaphoreGetCount(semaphore) == 0);
    CHECK(osSemaphoreAcquire(semaphore, 0) == osErrorResource);
    const uint32_t before = osKernelGetTickCount();
    CHECK(osSemaphoreAcquire(semaphore, 3) == osErrorTimeout);
    CHECK(osKernelGetTickCount() == before + 3 && osSemaphoreGetCount(semaphore) == 0);
    for (uint32_t i = 1; i <= 5; i++) {
        CHECK(osSemaphoreRelease(semaphore) == osOK && osSemaphoreGetCount(semaphore) == i);
    }
    CHECK(osSemaphoreRelease(semaphore) == osErrorResource);
    CHECK(osSemaphoreGetCount(semaphore) == 5);
    CHECK(osSemaphoreAcquire(NULL, 0) == osErrorParameter);
    CHECK(osSemaphoreRelease(no_object) == osErrorParameter);
    while (osSemaphoreAcquire(semaphore, 0) == osOK) {
    }
}

static void wait(void *argument) {
    (void)argument;
    const osPriority_t own = osThreadGetPriority(osThreadGetId());
    status = osSemaphoreAcquire(semaphore, osWaitForever);
    order[count++] = (uint32_t)own;
}

// The waiting thread with the highest priority is woken first, although it came last. A semaphore
// for which threads wait cannot be deleted.
static void waiters(void) {
    count = 0;
    start(wait, osPriorityHigh);
    start(wait, osPriorityHigh1);
    CHECK(osSemaphoreDelete(semaphore) == osErrorResource);
    CHECK(osSemaphoreRelease(semaphore) == osOK && osSemaphoreGetCount(semaphore) == 0);
    CHECK(count == 1 && osSemaphoreRelease(semaphore) == osOK && count == 2);
    CHECK(order[0] == osPriorityHigh1 && order[1] == osPriorityHigh && status == osOK);
    wait_for_ends();
    CHECK(osSemaphoreDelete(semaphore) == osOK && osSemaphoreDelete(NULL) == osErrorParameter);
}

void semaphore_cases(void) {
    creation();
    counts();
    waiters();
}
