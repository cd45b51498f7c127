// SPDX-License-Identifier: MIT
//
// FreeRTOS-in-Rust as C sees it (src/lib.rs): the types, functions and macros that
// kernels/freertos/port.c uses, by their names in FreeRTOS. kernels/freertos has the other file of
// this name.
#ifndef FREERTOS_PORT_API_H
#define FREERTOS_PORT_API_H

#include <arch/interrupt.h>
#include <bench/port.h>
#include <stddef.h>
#include <stdint.h>

typedef int32_t BaseType_t;
typedef uint32_t UBaseType_t;
typedef uint32_t TickType_t;
typedef uint32_t StackType_t;
typedef uint32_t EventBits_t;
typedef size_t configSTACK_DEPTH_TYPE;
typedef void *TaskHandle_t;
typedef void *QueueHandle_t;
typedef void *SemaphoreHandle_t;
typedef void *EventGroupHandle_t;
typedef void *MessageBufferHandle_t;
typedef void (*TaskFunction_t)(void *);

#define pdFALSE 0
#define pdTRUE 1
#define pdPASS 1

// --- Memory --------------------------------------------------------------------------------------

void vPortDefineHeap(void);
void *pvPortMalloc(size_t bytes);
void vPortFree(void *block);

// --- Tasks ---------------------------------------------------------------------------------------

void portYIELD(void);
void portYIELD_FROM_ISR(BaseType_t required);
#define taskYIELD() portYIELD()

void vTaskStartScheduler(void);
BaseType_t xTaskCreate(TaskFunction_t code, const char *name, configSTACK_DEPTH_TYPE words,
                       void *argument, UBaseType_t priority, TaskHandle_t *task);
void vTaskDelete(TaskHandle_t task);
void vTaskSuspend(TaskHandle_t task);
void vTaskResume(TaskHandle_t task);
BaseType_t xTaskResumeFromISR(TaskHandle_t task);
void vTaskDelay(TickType_t ticks);
BaseType_t xTaskDelayUntil(TickType_t *wake, TickType_t increment);
void vTaskPrioritySet(TaskHandle_t task, UBaseType_t priority);
TaskHandle_t xTaskGetCurrentTaskHandle(void);
TickType_t xTaskGetTickCount(void);
BaseType_t xTaskNotifyGive(TaskHandle_t task);
void vTaskNotifyGiveFromISR(TaskHandle_t task, BaseType_t *woken);
uint32_t ulTaskNotifyTake(BaseType_t clear, TickType_t ticks);

// --- Queues and semaphores -----------------------------------------------------------------------

enum { QUEUE_PLAIN = 0, QUEUE_MUTEX = 1, QUEUE_BINARY_SEMAPHORE = 3 };

QueueHandle_t xQueueGenericCreate(UBaseType_t length, UBaseType_t bytes, uint8_t kind);
QueueHandle_t xQueueCreateMutex(uint8_t kind);
QueueHandle_t xQueueCreateCountingSemaphore(UBaseType_t maximum, UBaseType_t initial);
BaseType_t xQueueGenericSend(QueueHandle_t queue, const void *item, TickType_t ticks,
                             BaseType_t position);
BaseType_t xQueueReceive(QueueHandle_t queue, void *item, TickType_t ticks);
BaseType_t xQueueSemaphoreTake(QueueHandle_t queue, TickType_t ticks);
BaseType_t xQueueGiveFromISR(QueueHandle_t queue, BaseType_t *woken);

#define xQueueCreate(length, bytes) xQueueGenericCreate(length, bytes, QUEUE_PLAIN)
#define xQueueSend(queue, item, ticks) xQueueGenericSend(queue, item, ticks, 0)
#define xSemaphoreCreateBinary() xQueueGenericCreate(1, 0, QUEUE_BINARY_SEMAPHORE)
#define xSemaphoreCreateCounting(maximum, initial) xQueueCreateCountingSemaphore(maximum, initial)
#define xSemaphoreCreateMutex() xQueueCreateMutex(QUEUE_MUTEX)
#define xSemaphoreTake(semaphore, ticks) xQueueSemaphoreTake(semaphore, ticks)
#define xSemaphoreGive(semaphore) xQueueGenericSend(semaphore, NULL, 0, 0)
#define xSemaphoreGiveFromISR(semaphore, woken) xQueueGiveFromISR(semaphore, woken)

// --- Event groups and message buffers ------------------------------------------------------------

EventGroupHandle_t xEventGroupCreate(void);
EventBits_t xEventGroupSetBits(EventGroupHandle_t group, EventBits_t bits);
EventBits_t xEventGroupWaitBits(EventGroupHandle_t group, EventBits_t bits, BaseType_t clear,
                                BaseType_t all, TickType_t ticks);

MessageBufferHandle_t xMessageBufferCreate(size_t bytes);
size_t xMessageBufferSend(MessageBufferHandle_t buffer, const void *message, size_t bytes,
                          TickType_t ticks);
size_t xMessageBufferReceive(MessageBufferHandle_t buffer, void *message, size_t bytes,
                             TickType_t ticks);

// --- What differs from FreeRTOS in C -------------------------------------------------------------

extern const uint32_t ulMaxSyscallInterruptPriority;

// The crate has 5 priorities, and the idle task has the lowest one. The declared priorities are
// mapped in their order to the other four.
enum { KERNEL_PRIORITIES = 4 };

static inline UBaseType_t kernel_priority(uint32_t priority) {
    uint32_t lower = 0; // bit n is set if a task with the lower priority n is declared
    for (size_t i = 0; i < bench_scenario.task_count; i++) {
        if (bench_scenario.tasks[i].priority > priority) {
            lower |= 1u << bench_scenario.tasks[i].priority;
        }
    }
    UBaseType_t rank = 1;
    for (; lower != 0; lower &= lower - 1u) {
        rank++;
    }
    BENCH_REQUIRE(rank <= KERNEL_PRIORITIES, "port: more priorities declared than the kernel has");
    return rank;
}

// Gives the interrupt a priority that the crate's critical sections mask; only such may call it.
static inline void kernel_enable_interrupt(uint32_t line) {
    arch_interrupt_enable(line);
    ARCH_NVIC_PRIORITY[ARCH_INTERRUPT_FIRST + line] = (uint8_t)(ulMaxSyscallInterruptPriority + 1u);
}

#endif
