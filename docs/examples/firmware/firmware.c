// SPDX-License-Identifier: MIT
//
// A firmware that knows nothing of Ticklab: two tasks of FreeRTOS, a queue between them, and a
// filter. It has Thread-Metric's counter of message processing, as that test's own source has.
#include <FreeRTOS.h>
#include <queue.h>
#include <task.h>

enum { SAMPLES = 8 };

volatile unsigned long tm_message_processing_counter;
volatile unsigned filtered, received;

static QueueHandle_t readings;

// Returns the mean of the last readings.
__attribute__((noinline)) unsigned filter(unsigned reading) {
    static unsigned history[SAMPLES], next;
    history[next] = reading;
    next = (next + 1) % SAMPLES;
    unsigned sum = 0;
    for (unsigned i = 0; i < SAMPLES; i++) {
        sum += history[i];
    }
    return sum / SAMPLES;
}

// Handles external interrupt 0, of a receiver.
void Receive_Handler(void) {
    received++;
}

// Enables external interrupt 0 at a priority that the kernel's critical sections mask.
static void enable_receiver(void) {
    *(volatile uint8_t *)0xe000e400 = 0x80;
    *(volatile uint32_t *)0xe000e100 = 1;
}

static void produce(void *unused) {
    (void)unused;
    for (unsigned reading = 0;; reading++) {
        xQueueSend(readings, &reading, portMAX_DELAY);
    }
}

static void consume(void *unused) {
    (void)unused;
    for (;;) {
        unsigned reading;
        xQueueReceive(readings, &reading, portMAX_DELAY);
        filtered = filter(reading);
        tm_message_processing_counter++;
    }
}

int main(void) {
    readings = xQueueCreate(4, sizeof(unsigned));
    xTaskCreate(produce, "produce", configMINIMAL_STACK_SIZE, NULL, 1, NULL);
    xTaskCreate(consume, "consume", configMINIMAL_STACK_SIZE, NULL, 2, NULL);
    enable_receiver();
    vTaskStartScheduler();
}
