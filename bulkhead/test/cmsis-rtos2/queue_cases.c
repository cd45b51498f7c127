// SPDX-License-Identifier: MIT
//
// Tests of message queues.
#include "cases.h"
#include <string.h>

enum { MESSAGES = 4, MESSAGE_BYTES = 8 };

static osMessageQueueId_t queue;
static volatile uint32_t got;
static volatile osStatus_t status;

static osStatus_t put(uint32_t value, uint8_t priority, uint32_t timeout) {
    const uint32_t message[2] = {value, ~value};
    return osMessageQueuePut(queue, message, priority, timeout);
}

// Receives a message. Returns its value, or 0 if there is none.
static uint32_t get(uint8_t *priority, uint32_t timeout) {
    uint32_t message[2] = {0, 0};
    status = osMessageQueueGet(queue, message, priority, timeout);
    CHECK(status != osOK || message[1] == ~message[0]);
    return message[0];
}

static void creation(void) {
    static uint32_t memory[8];
    const osMessageQueueAttr_t small = {.mq_mem = memory, .mq_size = 8};
    const osMessageQueueAttr_t own = {.name = "queue", .mq_mem = memory, .mq_size = sizeof memory};
    CHECK(osMessageQueueNew(0, 4, NULL) == NULL && osMessageQueueNew(4, 0, NULL) == NULL);
    CHECK(osMessageQueueNew(MESSAGES + 1, MESSAGE_BYTES, NULL) == NULL);
    CHECK(osMessageQueueNew(2, 8, &small) == NULL);
    queue = osMessageQueueNew(4, 3, &own); // an odd size, at odd addresses
    CHECK(queue != NULL && strcmp(osMessageQueueGetName(queue), "queue") == 0);
    for (char i = 0; i < 4; i++) {
        const char message[4] = {9, i, 'a', 'b'};
        CHECK(osMessageQueuePut(queue, &message[1], 0, 0) == osOK);
    }
    for (char i = 0; i < 4; i++) {
        char message[5] = {9, 0, 0, 0, 9};
        CHECK(osMessageQueueGet(queue, &message[1], NULL, 0) == osOK);
        CHECK(message[1] == i && message[3] == 'b' && message[0] == 9 && message[4] == 9);
    }
    CHECK(osMessageQueueDelete(queue) == osOK && osMessageQueueDelete(queue) == osErrorParameter);
    CHECK(osMessageQueueGetName(queue) == NULL);
    queue = osMessageQueueNew(MESSAGES, MESSAGE_BYTES, NULL);
    CHECK(osMessageQueueGetCapacity(queue) == MESSAGES);
    CHECK(osMessageQueueGetMsgSize(queue) == MESSAGE_BYTES);
}

static void parameters(void) {
    uint32_t message[2] = {0, 0};
    CHECK(osMessageQueuePut(queue, NULL, 0, 0) == osErrorParameter);
    CHECK(osMessageQueueGet(queue, NULL, NULL, 0) == osErrorParameter);
    CHECK(osMessageQueuePut(NULL, message, 0, 0) == osErrorParameter);
    CHECK(osMessageQueueGet(no_object, message, NULL, 0) == osErrorParameter);
    CHECK(osMessageQueueReset(NULL) == osErrorParameter);
    CHECK(osMessageQueueDelete(NULL) == osErrorParameter);
    CHECK(osMessageQueueGetCapacity(NULL) == 0 && osMessageQueueGetMsgSize(NULL) == 0);
    CHECK(osMessageQueueGetCount(NULL) == 0 && osMessageQueueGetSpace(NULL) == 0);
}

// Messages are received in the order of their priorities, the highest first, and in the order of
// arrival within a priority.
static void priorities(void) {
    static const uint8_t order[MESSAGES] = {3, 1, 4, 2}; // messages 1 to 4 have 7, 0, 255 and 7
    uint8_t priority = 77;
    CHECK(put(1, 7, 0) == osOK && put(2, 0, 0) == osOK);
    CHECK(put(3, 255, 0) == osOK && put(4, 7, 0) == osOK);
    CHECK(osMessageQueueGetCount(queue) == MESSAGES && osMessageQueueGetSpace(queue) == 0);
    CHECK(put(5, 255, 0) == osErrorResource && put(5, 255, 2) == osErrorTimeout);
    for (uint32_t i = 0; i < MESSAGES; i++) {
        CHECK(get(&priority, 0) == order[i]);
        CHECK(priority == (order[i] == 3 ? 255 : order[i] == 2 ? 0 : 7));
    }
    CHECK(get(NULL, 0) == 0 && status == osErrorResource);
    CHECK(get(NULL, 2) == 0 && status == osErrorTimeout);
    CHECK(osMessageQueueGetCount(queue) == 0 && osMessageQueueGetSpace(queue) == MESSAGES);
}

// Messages with any sequence of priorities leave the queue's linked list consistent.
static void all_orders(void) {
    for (uint32_t order = 0; order < 81; order++) {
        uint32_t rest = order;
        uint8_t before = 255;
        for (uint32_t i = 0; i < MESSAGES; i++) {
            CHECK(put(i + 1, (uint8_t)(rest % 3), 0) == osOK);
            rest /= 3;
        }
        uint32_t last = 0;
        for (uint32_t i = 0; i < MESSAGES; i++) {
            uint8_t priority = 0;
            const uint32_t value = get(&priority, 0);
            CHECK(value != 0 && priority <= before && (priority != before || value > last));
            before = priority;
            last = value;
        }
    }
}

static void receive(void *argument) {
    (void)argument;
    const uint32_t value = get(NULL, osWaitForever);
    got = got * 10 + value;
}

static void send(void *argument) {
    (void)argument;
    status = put(9, 0, osWaitForever);
}

static void waiters(void) {
    got = 0;
    start(receive, osPriorityHigh);
    start(receive, osPriorityHigh1);
    CHECK(osMessageQueueDelete(queue) == osErrorResource);
    CHECK(put(1, 0, 0) == osOK && put(2, 0, 0) == osOK && got == 12);
    wait_for_ends();
    for (uint32_t i = 1; i <= MESSAGES; i++) {
        CHECK(put(i, 0, 0) == osOK);
    }
    start(send, osPriorityHigh);
    CHECK(osMessageQueueDelete(queue) == osErrorResource);
    CHECK(get(NULL, 0) == 1);
    wait_for_ends();
    CHECK(osMessageQueueGetCount(queue) == MESSAGES);
}

// A reset of a full queue wakes a thread that waits to send.
static void reset(void) {
    start(send, osPriorityLow);
    osDelay(1);
    CHECK(osMessageQueueReset(queue) == osOK && osMessageQueueGetCount(queue) == 0);
    wait_for_ends();
    CHECK(get(NULL, 0) == 9 && get(NULL, 0) == 0);
    CHECK(osMessageQueueReset(queue) == osOK && osMessageQueueGetSpace(queue) == MESSAGES);
    CHECK(osMessageQueueDelete(queue) == osOK);
}

void queue_cases(void) {
    creation();
    parameters();
    priorities();
    all_orders();
    waiters();
    reset();
}
