// SPDX-License-Identifier: MIT
//
// Tests of the kernel's state, of its lock and of time.
#include "cases.h"
#include <string.h>

static volatile bool has_run;

static void run(void *argument) {
    (void)argument;
    has_run = true;
}

static void information(void) {
    osVersion_t version;
    char name[16], few[3];
    CHECK(osKernelGetInfo(&version, name, sizeof name) == osOK);
    CHECK(version.api == 20010003 && version.kernel != 0);
    CHECK(strcmp(name, "Bulkhead") == 0);
    CHECK(osKernelGetInfo(NULL, few, sizeof few) == osOK && strlen(few) == sizeof few - 1 &&
          few[0] == 'B');
    CHECK(osKernelGetInfo(NULL, NULL, 0) == osOK);
}

static void state(void) {
    CHECK(osKernelGetState() == osKernelRunning);
    CHECK(osKernelInitialize() == osError);
    CHECK(osKernelStart() == osError);
    CHECK(osKernelSuspend() == 0);
    osKernelResume(0);
    CHECK(osKernelGetState() == osKernelRunning);
}

// No thread of a higher priority runs while the kernel is locked. After the unlock, the caller has
// its own priority again.
static void lock(void) {
    has_run = false;
    CHECK(osKernelLock() == 0 && osKernelLock() == 1);
    CHECK(osKernelGetState() == osKernelLocked);
    start(run, osPriorityRealtime);
    CHECK(!has_run);
    CHECK(osKernelUnlock() == 1);
    CHECK(has_run);
    CHECK(osKernelUnlock() == 0);
    CHECK(osThreadGetPriority(osThreadGetId()) == osPriorityNormal);
}

// While the kernel is locked, a call that would have to wait fails, and a priority that the holder
// of the lock gives itself takes effect when it unlocks the kernel.
static void wait_while_locked(void) {
    const osSemaphoreId_t semaphore = osSemaphoreNew(1, 0, NULL);
    CHECK(osKernelLock() == 0);
    CHECK(osDelay(1) == osError);
    CHECK(osSemaphoreAcquire(semaphore, 5) == osErrorResource);
    CHECK(osThreadFlagsWait(1, 0, 5) == osFlagsErrorResource);
    CHECK(osThreadSuspend(osThreadGetId()) == osErrorResource);
    CHECK(osThreadSetPriority(osThreadGetId(), osPriorityHigh) == osOK);
    has_run = false;
    start(run, osPriorityRealtime);
    CHECK(!has_run);
    CHECK(osKernelRestoreLock(0) == 0);
    CHECK(has_run);
    CHECK(osThreadSetPriority(osThreadGetId(), osPriorityNormal) == osOK);
    CHECK(osSemaphoreDelete(semaphore) == osOK);
}

static void restore(void) {
    CHECK(osKernelRestoreLock(1) == 1 && osKernelGetState() == osKernelLocked);
    CHECK(osKernelRestoreLock(1) == 1);
    CHECK(osKernelRestoreLock(2) == osError);
    CHECK(osKernelRestoreLock(0) == 0 && osKernelGetState() == osKernelRunning);
}

static void time(void) {
    const uint32_t before = osKernelGetTickCount();
    CHECK(osKernelGetTickFreq() == 1000);
    CHECK(osKernelGetSysTimerFreq() == osKernelGetTickFreq());
    CHECK(osDelay(0) == osErrorParameter);
    CHECK(osDelay(3) == osOK);
    CHECK(osKernelGetTickCount() == before + 3);
    CHECK(osKernelGetSysTimerCount() == before + 3);
    CHECK(osDelayUntil(before + 5) == osOK && osKernelGetTickCount() == before + 5);
    CHECK(osDelayUntil(before + 5) == osErrorParameter);
    CHECK(osDelayUntil(before + 2) == osErrorParameter);
    CHECK(osDelayUntil(before + 0x80000005u) == osErrorParameter);
}

void kernel_cases(void) {
    information();
    state();
    lock();
    wait_while_locked();
    restore();
    time();
}
