// SPDX-License-Identifier: MIT
//
// Provides the table of objects that CMSIS-RTOS2 may create, and runs all test cases in a thread.
#include "cases.h"
#include <bulkhead/os_objects.h>
#include <console.h>
#include <handles.h>

enum { TICK_HZ = 1000, BLOCKS = 4, BLOCK_BYTES = 12, MESSAGES = 4, MESSAGE_BYTES = 8 };

static uint64_t pool_memory[BULKHEAD_OS_POOL_BYTES(BLOCKS, BLOCK_BYTES) / sizeof(uint64_t)];
static uint64_t queue_memory[BULKHEAD_OS_QUEUE_BYTES(MESSAGES, MESSAGE_BYTES) / sizeof(uint64_t)];

static struct bulkhead_os_thread threads[] = {
    BULKHEAD_OS_THREAD(T0, 512), BULKHEAD_OS_THREAD(T1, 512),     BULKHEAD_OS_THREAD(T2, 512),
    BULKHEAD_OS_THREAD(T3, 512), BULKHEAD_OS_THREAD(LARGE, 1024),
};
static struct bulkhead_os_flags flags[] = {BULKHEAD_OS_FLAGS(FIRST), BULKHEAD_OS_FLAGS(SECOND)};
static struct bulkhead_os_mutex mutexes[] = {BULKHEAD_OS_MUTEX(FIRST), BULKHEAD_OS_MUTEX(SECOND)};
static struct bulkhead_os_semaphore semaphores[] = {BULKHEAD_OS_SEMAPHORE(BINARY),
                                                    BULKHEAD_OS_SEMAPHORE(COUNTING)};
static struct bulkhead_os_pool pools[] = {BULKHEAD_OS_POOL(BLOCKS, pool_memory)};
static struct bulkhead_os_queue queues[] = {BULKHEAD_OS_QUEUE(MAIL, queue_memory)};
static struct bulkhead_os_timer timers[] = {BULKHEAD_OS_TIMER(ONCE), BULKHEAD_OS_TIMER(PERIODIC)};
static struct bulkhead_os_state state;

const struct bulkhead_os bulkhead_os = {
    .tick_hz = TICK_HZ,
    .state = &state,
    .mutex = MUTEX_OS,
    .timer_flags = FLAGS_TIMERS,
    BULKHEAD_OS_ARRAY(threads, threads),
    BULKHEAD_OS_ARRAY(flags, flags),
    BULKHEAD_OS_ARRAY(mutexes, mutexes),
    BULKHEAD_OS_ARRAY(semaphores, semaphores),
    BULKHEAD_OS_ARRAY(pools, pools),
    BULKHEAD_OS_ARRAY(queues, queues),
    BULKHEAD_OS_ARRAY(timers, timers),
};

uint32_t no_object[32];

void check_at(bool holds, const char *file, uint32_t line) {
    if (!holds) {
        console_write("failed: ");
        console_write(file);
        console_write(":");
        console_write_number(line);
        console_write("\n");
        console_end();
    }
}

osThreadId_t start(osThreadFunc_t function, osPriority_t priority) {
    const osThreadAttr_t attributes = {.priority = priority};
    const osThreadId_t thread = osThreadNew(function, NULL, &attributes);
    CHECK(thread != NULL);
    return thread;
}

void wait_for_ends(void) {
    while (osThreadGetCount() != 1) {
        osDelay(1);
    }
}

static void run_cases(void *argument) {
    (void)argument;
    void (*const cases[])(void) = {kernel_cases,    thread_cases, flags_cases, mutex_cases,
                                   semaphore_cases, pool_cases,   queue_cases, timer_cases};
    for (uint32_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        cases[i]();
        wait_for_ends();
    }
    console_write("every case holds\n");
    console_end();
}

void app_main(void);
void app_main(void) {
    const osThreadAttr_t attributes = {.name = "cases", .stack_size = 1024};
    CHECK(osKernelGetState() == osKernelInactive);
    CHECK(osThreadNew(run_cases, NULL, &attributes) == NULL);
    CHECK(osKernelStart() == osError);
    CHECK(osKernelInitialize() == osOK);
    CHECK(osKernelGetState() == osKernelReady);
    CHECK(osKernelInitialize() == osOK);
    CHECK(osThreadNew(run_cases, NULL, &attributes) != NULL);
    CHECK(osDelay(1) == osError); // no thread may wait before the start
    CHECK(osKernelLock() == osError);
    (void)osKernelStart();
    CHECK(false);
}
