// SPDX-License-Identifier: MIT
//
// The porting contract (bench/port.h) on FreeRTOS.
//
// Objects are created from the declarations by the dynamic interface (xTaskCreate, xQueueCreate …).
// Block pools use the kernel's heap. Interrupt actions use the FromISR calls with the yield at the
// end that the manual prescribes. This file is not tuned: it follows the manual's examples.
#include <bench/interrupt_lines.h>
#include <bench/port.h>
#include <freertos_api.h>
#include <nodes.h>
#include <protection.h>
#include <start.h>

// Room for the handles. The start-up refuses a scenario that declares more objects.
enum { MAX_TASKS = 64, MAX_MUTEXES = 8, MAX_FLAGS = 4, MAX_QUEUES = 4 };
enum { MAX_MESSAGE_BUFFERS = 4, MAX_TIMERS = 4 };

static TaskHandle_t tasks[MAX_TASKS];
static SemaphoreHandle_t semaphores[NODES_SEMAPHORES];
static SemaphoreHandle_t mutexes[MAX_MUTEXES];
static EventGroupHandle_t flags[MAX_FLAGS];
static QueueHandle_t queues[MAX_QUEUES];

// CMSIS's name for the clock. Configuration files that were made for a board divide it by the tick
// rate.
extern uint32_t SystemCoreClock;
uint32_t SystemCoreClock = BENCH_TIMER_HZ;

// --- Tasks ---------------------------------------------------------------------------------------

void bench_task_yield(void) {
    taskYIELD();
}

enum bench_status bench_task_suspend(struct bench_task task) {
    protection_suspend(tasks[task.index]);
    return BENCH_OK;
}

enum bench_status bench_task_resume(struct bench_task task) {
    vTaskResume(tasks[task.index]);
    return BENCH_OK;
}

void bench_task_delay(uint32_t ticks) {
    vTaskDelay(ticks);
}

// xTaskDelayUntil also reports whether the task slept. The contract does not, so the result is
// ignored.
void bench_task_delay_until(uint32_t *wake, uint32_t period) {
    (void)xTaskDelayUntil(wake, period);
}

enum bench_status bench_task_set_priority(struct bench_task task, uint32_t priority) {
    vTaskPrioritySet(tasks[task.index], kernel_priority(priority));
    return BENCH_OK;
}

struct bench_task bench_task_self(void) {
    const TaskHandle_t self = xTaskGetCurrentTaskHandle();
    uint32_t index = 0;
    while (tasks[index] != self) {
        index++;
    }
    return (struct bench_task){index};
}

uint32_t bench_ticks(void) {
    return xTaskGetTickCount();
}

// --- Semaphores and mutexes ----------------------------------------------------------------------

static enum bench_status taken(BaseType_t result) {
    return result == pdTRUE ? BENCH_OK : BENCH_TIMED_OUT;
}

static enum bench_status given(BaseType_t result) {
    return result == pdTRUE ? BENCH_OK : BENCH_REFUSED;
}

enum bench_status bench_semaphore_take(struct bench_semaphore semaphore, uint32_t timeout_ticks) {
    return taken(xSemaphoreTake(semaphores[semaphore.index], timeout_ticks));
}

enum bench_status bench_semaphore_give(struct bench_semaphore semaphore) {
    return given(xSemaphoreGive(semaphores[semaphore.index]));
}

enum bench_status bench_mutex_lock(struct bench_mutex mutex, uint32_t timeout_ticks) {
    return taken(xSemaphoreTake(mutexes[mutex.index], timeout_ticks));
}

enum bench_status bench_mutex_unlock(struct bench_mutex mutex) {
    return given(xSemaphoreGive(mutexes[mutex.index]));
}

// --- Event flags ---------------------------------------------------------------------------------

// The kernel returns the bits as they were when the wait ended, by success or by timeout.
enum bench_status bench_flags_wait_all(struct bench_flags group, uint32_t bits,
                                       uint32_t timeout_ticks) {
    const EventBits_t before =
        xEventGroupWaitBits(flags[group.index], bits, pdTRUE, pdTRUE, timeout_ticks);
    return (before & bits) == bits ? BENCH_OK : BENCH_TIMED_OUT;
}

// The kernel returns the bits after the call, which is no error code, so the result is ignored.
enum bench_status bench_flags_set(struct bench_flags group, uint32_t bits) {
    (void)xEventGroupSetBits(flags[group.index], bits);
    return BENCH_OK;
}

// --- Queues, notifications, blocks ---------------------------------------------------------------

enum bench_status bench_queue_send(struct bench_queue queue, const void *message,
                                   uint32_t timeout_ticks) {
    return taken(xQueueSend(queues[queue.index], message, timeout_ticks));
}

enum bench_status bench_queue_receive(struct bench_queue queue, void *message,
                                      uint32_t timeout_ticks) {
    return taken(xQueueReceive(queues[queue.index], message, timeout_ticks));
}

enum bench_status bench_notify(struct bench_task task) {
    return given(xTaskNotifyGive(tasks[task.index]));
}

enum bench_status bench_notification_wait(uint32_t timeout_ticks) {
    return ulTaskNotifyTake(pdFALSE, timeout_ticks) != 0 ? BENCH_OK : BENCH_TIMED_OUT;
}

enum bench_status bench_pool_allocate(struct bench_pool pool, void **block) {
    *block = pvPortMalloc(bench_scenario.pools[pool.index].block_bytes);
    return *block != NULL ? BENCH_OK : BENCH_TIMED_OUT;
}

enum bench_status bench_pool_free(struct bench_pool pool, void *block) {
    (void)pool;
    vPortFree(block);
    return BENCH_OK;
}

enum bench_status bench_heap_allocate(struct bench_heap heap, uint32_t bytes, void **block) {
    (void)heap;
    *block = pvPortMalloc(bytes);
    return *block != NULL ? BENCH_OK : BENCH_REFUSED;
}

enum bench_status bench_heap_free(struct bench_heap heap, void *block) {
    (void)heap;
    vPortFree(block);
    return BENCH_OK;
}

// --- Message buffers and timers ------------------------------------------------------------------
// Both are options of the kernel's configuration.

#if configUSE_STREAM_BUFFERS == 1

static MessageBufferHandle_t message_buffers[MAX_MESSAGE_BUFFERS];

// The kernel sends nothing if the message is too long, or finds no room within the timeout.
// Scenarios send no message that is too long, so the cause is the timeout.
enum bench_status bench_message_send(struct bench_message_buffer buffer, const void *message,
                                     uint32_t bytes, uint32_t timeout_ticks) {
    const size_t sent =
        xMessageBufferSend(message_buffers[buffer.index], message, bytes, timeout_ticks);
    return sent != 0 ? BENCH_OK : BENCH_TIMED_OUT;
}

enum bench_status bench_message_receive(struct bench_message_buffer buffer, void *message,
                                        uint32_t *bytes, uint32_t timeout_ticks) {
    *bytes = xMessageBufferReceive(message_buffers[buffer.index], message, *bytes, timeout_ticks);
    return *bytes != 0 ? BENCH_OK : BENCH_TIMED_OUT;
}

static void create_message_buffers(void) {
    BENCH_REQUIRE(bench_scenario.message_buffer_count <= MAX_MESSAGE_BUFFERS,
                  "port: too many message buffers declared");
    for (size_t i = 0; i < bench_scenario.message_buffer_count; i++) {
        const struct bench_message_buffer_declaration *declared =
            &bench_scenario.message_buffers[i];
        // The kernel keeps the length of each message, a size_t, in the buffer.
        message_buffers[i] =
            xMessageBufferCreate(declared->bytes + declared->messages * sizeof(size_t));
        BENCH_REQUIRE(message_buffers[i] != NULL, "port: no memory for a message buffer");
    }
}

#else

static void create_message_buffers(void) {
}

#endif

#if configUSE_TIMERS == 1

static TimerHandle_t timers[MAX_TIMERS];

enum bench_status bench_timer_start(struct bench_timer timer) {
    return given(xTimerStart(timers[timer.index], portMAX_DELAY));
}

enum bench_status bench_timer_stop(struct bench_timer timer) {
    return given(xTimerStop(timers[timer.index], portMAX_DELAY));
}

static void timer_gives(TimerHandle_t timer) {
    const size_t index = (size_t)pvTimerGetTimerID(timer);
    (void)xSemaphoreGive(semaphores[bench_scenario.timers[index].semaphore]);
}

static void create_timers(void) {
    BENCH_REQUIRE(bench_scenario.timer_count <= MAX_TIMERS, "port: too many timers declared");
    for (size_t i = 0; i < bench_scenario.timer_count; i++) {
        const struct bench_timer_declaration *declared = &bench_scenario.timers[i];
        timers[i] =
            xTimerCreate("timer", declared->ticks, declared->periodic, (void *)i, timer_gives);
        BENCH_REQUIRE(timers[i] != NULL, "port: no memory for a timer");
    }
}

#else

static void create_timers(void) {
}

#endif

// --- Interrupts ----------------------------------------------------------------------------------

static uint32_t lines[BENCH_INTERRUPTS_MAX];
static uint32_t objects[BENCH_INTERRUPTS_MAX];

void bench_interrupt_trigger(struct bench_interrupt interrupt) {
    protection_request_interrupt(lines[interrupt.index]);
}

uint32_t bench_interrupt_line(struct bench_interrupt interrupt) {
    return lines[interrupt.index];
}

enum bench_status bench_semaphore_give_from_interrupt(struct bench_semaphore semaphore) {
    BaseType_t higher_woken = pdFALSE;
    const BaseType_t result = xSemaphoreGiveFromISR(semaphores[semaphore.index], &higher_woken);
    portYIELD_FROM_ISR(higher_woken);
    return given(result);
}

enum bench_status bench_task_resume_from_interrupt(struct bench_task task) {
    portYIELD_FROM_ISR(xTaskResumeFromISR(tasks[task.index]));
    return BENCH_OK;
}

static inline void interrupt_posts(uint32_t interrupt) {
    BaseType_t higher_woken = pdFALSE;
    xSemaphoreGiveFromISR(semaphores[objects[interrupt]], &higher_woken);
    portYIELD_FROM_ISR(higher_woken);
}

static inline void interrupt_resumes(uint32_t interrupt) {
    portYIELD_FROM_ISR(xTaskResumeFromISR(tasks[objects[interrupt]]));
}

static inline void interrupt_notifies(uint32_t interrupt) {
    BaseType_t higher_woken = pdFALSE;
    vTaskNotifyGiveFromISR(tasks[objects[interrupt]], &higher_woken);
    portYIELD_FROM_ISR(higher_woken);
}

static inline void interrupt_calls(uint32_t interrupt) {
    bench_scenario.interrupts[interrupt].handler();
}

BENCH_HANDLERS_POST(interrupt_posts)
BENCH_HANDLERS_RESUME(interrupt_resumes)
BENCH_HANDLERS_NOTIFY(interrupt_notifies)
BENCH_HANDLERS_CALL(interrupt_calls)

// --- Start ---------------------------------------------------------------------------------------

static void refuse_more_than_fits(void) {
    BENCH_REQUIRE(bench_scenario.task_count <= MAX_TASKS, "port: too many tasks declared");
    BENCH_REQUIRE(bench_scenario.semaphore_count <= NODES_SEMAPHORES,
                  "port: too many semaphores declared");
    BENCH_REQUIRE(bench_scenario.mutex_count <= MAX_MUTEXES, "port: too many mutexes declared");
    BENCH_REQUIRE(bench_scenario.flags_count <= MAX_FLAGS, "port: too many flags declared");
    BENCH_REQUIRE(bench_scenario.queue_count <= MAX_QUEUES, "port: too many queues declared");
    BENCH_REQUIRE(bench_scenario.interrupt_count <= BENCH_INTERRUPTS_MAX,
                  "port: too many interrupts declared");
}

static void create_semaphore(size_t i) {
    const struct bench_semaphore_declaration *declared = &bench_scenario.semaphores[i];
    if (declared->maximum > 1) {
        semaphores[i] = xSemaphoreCreateCounting(declared->maximum, declared->initial);
    } else {
        semaphores[i] = xSemaphoreCreateBinary();
        if (declared->initial == 1) {
            xSemaphoreGive(semaphores[i]);
        }
    }
    BENCH_REQUIRE(semaphores[i] != NULL, "port: no memory for a semaphore");
}

static void create_objects(void) {
    for (size_t i = 0; i < bench_scenario.semaphore_count; i++) {
        create_semaphore(i);
    }
    for (size_t i = 0; i < bench_scenario.mutex_count; i++) {
        mutexes[i] = xSemaphoreCreateMutex();
        BENCH_REQUIRE(mutexes[i] != NULL, "port: no memory for a mutex");
    }
    for (size_t i = 0; i < bench_scenario.flags_count; i++) {
        flags[i] = xEventGroupCreate();
        BENCH_REQUIRE(flags[i] != NULL, "port: no memory for event flags");
        (void)xEventGroupSetBits(flags[i], bench_scenario.flags[i].initial);
    }
    for (size_t i = 0; i < bench_scenario.queue_count; i++) {
        const struct bench_queue_declaration *declared = &bench_scenario.queues[i];
        queues[i] = xQueueCreate(declared->capacity, declared->message_bytes);
        BENCH_REQUIRE(queues[i] != NULL, "port: no memory for a queue");
    }
    create_message_buffers();
    create_timers();
}

static void run_task(void *entry) {
    start_task();
    ((void (*)(void))entry)();
    bench_fail("a task's entry returned");
}

static BaseType_t create_task(size_t i) {
    const struct bench_task_declaration *declared = &bench_scenario.tasks[i];
    return protection_create_task(declared, kernel_priority(declared->priority), run_task,
                                  &tasks[i]);
}

enum bench_status bench_task_create(struct bench_task task) {
    return create_task(task.index) == pdPASS ? BENCH_OK : BENCH_REFUSED;
}

_Noreturn void bench_task_exit(void) {
    vTaskDelete(NULL);
    bench_fail("a task ran after it deleted itself");
}

static void create_initially(size_t i) {
    const uint8_t initially = bench_scenario.tasks[i].initially;
    if (initially == BENCH_ABSENT) {
        return;
    }
    BENCH_REQUIRE(create_task(i) == pdPASS, "port: no memory for a task");
    if (initially == BENCH_SUSPENDED) {
        vTaskSuspend(tasks[i]);
    }
}

static void grant(size_t task, void *object, uint8_t process, uint8_t users) {
    const uint32_t processes = (1u << process) | users;
    if ((processes >> bench_scenario.tasks[task].process) & 1u) {
        protection_grant(tasks[task], object);
    }
}

// The declaration names no users of tasks: every task may resume or notify every other.
static void grant_declared(size_t task) {
    for (size_t i = 0; i < bench_scenario.semaphore_count; i++) {
        const struct bench_semaphore_declaration *declared = &bench_scenario.semaphores[i];
        grant(task, semaphores[i], declared->process, declared->users);
    }
    for (size_t i = 0; i < bench_scenario.mutex_count; i++) {
        const struct bench_mutex_declaration *declared = &bench_scenario.mutexes[i];
        grant(task, mutexes[i], declared->process, declared->users);
    }
    for (size_t i = 0; i < bench_scenario.flags_count; i++) {
        const struct bench_flags_declaration *declared = &bench_scenario.flags[i];
        grant(task, flags[i], declared->process, declared->users);
    }
    for (size_t i = 0; i < bench_scenario.queue_count; i++) {
        const struct bench_queue_declaration *declared = &bench_scenario.queues[i];
        grant(task, queues[i], declared->process, declared->users);
    }
    for (size_t i = 0; i < bench_scenario.task_count; i++) {
        protection_grant(tasks[task], tasks[i]);
    }
}

static void bind_interrupt(size_t i) {
    lines[i] = bench_interrupt_line_of(i);
    objects[i] = bench_scenario.interrupts[i].object;
    protection_enable_interrupt(lines[i]);
}

static void create_tasks(void) {
    for (size_t i = 0; i < bench_scenario.task_count; i++) {
        if (nodes_is_here(&bench_scenario.tasks[i])) {
            create_initially(i);
        }
    }
    for (size_t i = 0; i < bench_scenario.task_count; i++) {
        grant_declared(i);
    }
}

_Noreturn void bench_port_start(void) {
    start_vectors();
    refuse_more_than_fits();
    create_objects();
    nodes_create(create_tasks);
    for (size_t i = 0; i < bench_scenario.interrupt_count; i++) {
        bind_interrupt(i);
    }
    vTaskStartScheduler();
    bench_fail("port: no memory for the kernel's own tasks");
}
