// SPDX-License-Identifier: MIT
//
// The porting contract (bench/port.h) on Bulkhead's implementation of CMSIS-RTOS2.
//
// cmsis_rtos2.py declares what CMSIS-RTOS2 needs for the scenario, and lists it in `bulkhead_os`.
// The thread os_main creates every object and starts the kernel, as the main function of an
// application does. Its state is the identifiers that the functions osXxxNew return.
#include <bench/port.h>

#include <cmsis_os2.h>

// --- Results -------------------------------------------------------------------------------------

static enum bench_status of(osStatus_t status) {
    if (status == osOK) {
        return BENCH_OK;
    }
    return status == osErrorTimeout ? BENCH_TIMED_OUT : BENCH_REFUSED;
}

// Converts a result. A call with timeout 0 returns osErrorResource where others return a timeout.
static enum bench_status of_wait(osStatus_t status, uint32_t timeout_ticks) {
    const bool is_not_available = status == osErrorResource && timeout_ticks == BENCH_NO_WAIT;
    return is_not_available ? BENCH_TIMED_OUT : of(status);
}

static enum bench_status of_flags(uint32_t flags) {
    if ((flags & osFlagsError) == 0) {
        return BENCH_OK;
    }
    const bool is_timeout = flags == osFlagsErrorTimeout || flags == osFlagsErrorResource;
    return is_timeout ? BENCH_TIMED_OUT : BENCH_REFUSED;
}

// --- Tasks ---------------------------------------------------------------------------------------

static osThreadId_t tasks[OS_THREADS];

// The contract's 31 priorities are the 31 of CMSIS-RTOS2 that have a level in Bulkhead: Idle, and
// five of each class.
static osPriority_t priority_of(uint32_t priority) {
    const uint32_t rank = BENCH_PRIORITY_LOWEST - priority;
    return rank == 0 ? osPriorityIdle : (osPriority_t)(8 + (rank - 1) / 5 * 8 + (rank - 1) % 5);
}

static void run_task(void *index) {
    bench_scenario.tasks[(uint32_t)index].entry();
    bench_fail("a task's entry returned");
}

enum bench_status bench_task_create(struct bench_task task) {
    const struct bench_task_declaration *declared = &bench_scenario.tasks[task.index];
    const osThreadAttr_t attributes = {
        .name = declared->name,
        .cb_mem = &os_threads[task.index],
        .cb_size = sizeof os_threads[0],
        .stack_size = declared->stack_bytes,
        .priority = priority_of(declared->priority),
    };
    tasks[task.index] = osThreadNew(run_task, (void *)task.index, &attributes);
    return tasks[task.index] == NULL ? BENCH_REFUSED : BENCH_OK;
}

_Noreturn void bench_task_exit(void) {
    osThreadExit();
}

void bench_task_yield(void) {
    (void)osThreadYield();
}

enum bench_status bench_task_suspend(struct bench_task task) {
    return of(osThreadSuspend(tasks[task.index]));
}

enum bench_status bench_task_resume(struct bench_task task) {
    return of(osThreadResume(tasks[task.index]));
}

void bench_task_delay(uint32_t ticks) {
    (void)osDelay(ticks);
}

void bench_task_delay_until(uint32_t *wake, uint32_t period) {
    *wake += period;
    (void)osDelayUntil(*wake);
}

enum bench_status bench_task_set_priority(struct bench_task task, uint32_t priority) {
    return of(osThreadSetPriority(tasks[task.index], priority_of(priority)));
}

struct bench_task bench_task_self(void) {
    uint32_t index = 0;
    while (tasks[index] != osThreadGetId()) {
        index++;
    }
    return (struct bench_task){index};
}

uint32_t bench_ticks(void) {
    return osKernelGetTickCount();
}

// --- Objects -------------------------------------------------------------------------------------

static osSemaphoreId_t semaphores[OS_SEMAPHORES];
static osMutexId_t mutexes[OS_MUTEXES];
static osEventFlagsId_t flags[OS_FLAGS];
static osMessageQueueId_t queues[OS_QUEUES];
static osMemoryPoolId_t pools[OS_POOLS];
static osTimerId_t timers[OS_TIMERS];

enum bench_status bench_semaphore_take(struct bench_semaphore semaphore, uint32_t timeout_ticks) {
    return of_wait(osSemaphoreAcquire(semaphores[semaphore.index], timeout_ticks), timeout_ticks);
}

enum bench_status bench_semaphore_give(struct bench_semaphore semaphore) {
    return of(osSemaphoreRelease(semaphores[semaphore.index]));
}

enum bench_status bench_mutex_lock(struct bench_mutex mutex, uint32_t timeout_ticks) {
    return of_wait(osMutexAcquire(mutexes[mutex.index], timeout_ticks), timeout_ticks);
}

enum bench_status bench_mutex_unlock(struct bench_mutex mutex) {
    return of(osMutexRelease(mutexes[mutex.index]));
}

enum bench_status bench_flags_wait_all(struct bench_flags events, uint32_t bits,
                                       uint32_t timeout_ticks) {
    return of_flags(osEventFlagsWait(flags[events.index], bits, osFlagsWaitAll, timeout_ticks));
}

enum bench_status bench_flags_set(struct bench_flags events, uint32_t bits) {
    return of_flags(osEventFlagsSet(flags[events.index], bits));
}

enum bench_status bench_queue_send(struct bench_queue queue, const void *message,
                                   uint32_t timeout_ticks) {
    return of_wait(osMessageQueuePut(queues[queue.index], message, 0, timeout_ticks),
                   timeout_ticks);
}

enum bench_status bench_queue_receive(struct bench_queue queue, void *message,
                                      uint32_t timeout_ticks) {
    return of_wait(osMessageQueueGet(queues[queue.index], message, NULL, timeout_ticks),
                   timeout_ticks);
}

enum bench_status bench_pool_allocate(struct bench_pool pool, void **block) {
    *block = osMemoryPoolAlloc(pools[pool.index], BENCH_NO_WAIT);
    return *block == NULL ? BENCH_TIMED_OUT : BENCH_OK;
}

enum bench_status bench_pool_free(struct bench_pool pool, void *block) {
    return of(osMemoryPoolFree(pools[pool.index], block));
}

enum bench_status bench_timer_start(struct bench_timer timer) {
    return of(osTimerStart(timers[timer.index], bench_scenario.timers[timer.index].ticks));
}

enum bench_status bench_timer_stop(struct bench_timer timer) {
    return of(osTimerStop(timers[timer.index]));
}

// --- Interrupts ----------------------------------------------------------------------------------
// CMSIS-RTOS2 has no function that requests an interrupt, so the port calls Bulkhead itself. What
// an interrupt does is declared, as in every system of Bulkhead.

void bench_interrupt_trigger(struct bench_interrupt interrupt) {
    bulkhead_interrupt_pend(INTERRUPT_HANDLES + interrupt.index);
}

uint32_t bench_interrupt_line(struct bench_interrupt interrupt) {
    return interrupt.index;
}

// --- Start ---------------------------------------------------------------------------------------

static void timer_gives(void *index) {
    const uint32_t semaphore = bench_scenario.timers[(uint32_t)index].semaphore;
    (void)osSemaphoreRelease(semaphores[semaphore]); // fails at the semaphore's maximum
}

static void created(const void *id) {
    BENCH_REQUIRE(id != NULL, "port: an object could not be created");
}

static void create_semaphores(void) {
    for (size_t i = 0; i < bench_scenario.semaphore_count; i++) {
        const struct bench_semaphore_declaration *declared = &bench_scenario.semaphores[i];
        const osSemaphoreAttr_t attributes = {.cb_mem = &os_semaphores[i],
                                              .cb_size = sizeof os_semaphores[0]};
        semaphores[i] = osSemaphoreNew(declared->maximum, declared->initial, &attributes);
        created(semaphores[i]);
    }
}

static void create_queues(void) {
    for (size_t i = 0; i < bench_scenario.queue_count; i++) {
        const struct bench_queue_declaration *declared = &bench_scenario.queues[i];
        queues[i] = osMessageQueueNew(declared->capacity, declared->message_bytes, NULL);
        created(queues[i]);
    }
}

static void create_pools(void) {
    for (size_t i = 0; i < bench_scenario.pool_count; i++) {
        const struct bench_pool_declaration *declared = &bench_scenario.pools[i];
        pools[i] = osMemoryPoolNew(declared->blocks, declared->block_bytes, NULL);
        created(pools[i]);
    }
}

static void create_timers(void) {
    for (size_t i = 0; i < bench_scenario.timer_count; i++) {
        const bool periodic = bench_scenario.timers[i].periodic;
        timers[i] =
            osTimerNew(timer_gives, periodic ? osTimerPeriodic : osTimerOnce, (void *)i, NULL);
        created(timers[i]);
    }
}

static void create_others(void) {
    for (size_t i = 0; i < bench_scenario.mutex_count; i++) {
        mutexes[i] = osMutexNew(NULL);
        created(mutexes[i]);
    }
    for (size_t i = 0; i < bench_scenario.flags_count; i++) {
        flags[i] = osEventFlagsNew(NULL);
        created(flags[i]);
        (void)osEventFlagsSet(flags[i], bench_scenario.flags[i].initial);
    }
}

static void create_tasks(void) {
    for (size_t i = 0; i < bench_scenario.task_count; i++) {
        const struct bench_task task = {(uint32_t)i};
        const uint8_t initially = bench_scenario.tasks[i].initially;
        if (initially != BENCH_ABSENT) {
            BENCH_REQUIRE(bench_task_create(task) == BENCH_OK, "port: a task was not created");
        }
        if (initially == BENCH_SUSPENDED) {
            BENCH_REQUIRE(bench_task_suspend(task) == BENCH_OK, "port: a task was not suspended");
        }
    }
}

void os_main(void);
void os_main(void) {
    BENCH_REQUIRE(osKernelInitialize() == osOK, "port: the kernel was not initialised");
    create_semaphores();
    create_queues();
    create_pools();
    create_timers();
    create_others();
    create_tasks();
    (void)osKernelStart();
    bench_fail("port: the kernel did not start");
}
