// SPDX-License-Identifier: MIT
//
// `message-buffer`: messages of different lengths arrive whole and in order, and a receiver that
// waits is woken.
#include "../conformance.h"

enum { LONGEST = 23, MESSAGES = 3 };

static const struct bench_message_buffer buffer = {0};
static const uint32_t lengths[MESSAGES] = {1, LONGEST, 7};
static volatile uint32_t arrived;

static uint8_t content(uint32_t message, uint32_t at) {
    return (uint8_t)(0x35u * message + at);
}

static void send(uint32_t message) {
    static uint8_t bytes[LONGEST]; // one buffer for all messages
    for (uint32_t at = 0; at < lengths[message]; at++) {
        bytes[at] = content(message, at);
    }
    REQUIRE_OK(bench_message_send(buffer, bytes, lengths[message], BENCH_NO_WAIT),
               "message-buffer: refused below capacity");
}

static void require_received(uint32_t message, uint32_t timeout_ticks) {
    uint8_t bytes[LONGEST] = {0};
    uint32_t length = sizeof(bytes);
    REQUIRE_OK(bench_message_receive(buffer, bytes, &length, timeout_ticks),
               "message-buffer: a message is missing");
    BENCH_REQUIRE(length == lengths[message], "message-buffer: a message has another length");
    for (uint32_t at = 0; at < length; at++) {
        BENCH_REQUIRE(bytes[at] == content(message, at),
                      "message-buffer: a message differs from the one sent first");
    }
}

static void receiver(void) {
    uint8_t bytes[LONGEST];
    uint32_t length = sizeof(bytes);
    REQUIRE_TIMED_OUT(bench_message_receive(buffer, bytes, &length, BENCH_NO_WAIT),
                      "message-buffer: received from an empty buffer");
    for (uint32_t message = 0; message < MESSAGES; message++) {
        require_received(message, BENCH_FOREVER);
        arrived++;
    }
    bench_task_delay(1);
    for (uint32_t round = 0; round < 2; round++) { // wraps around the end of the buffer
        for (uint32_t message = 0; message < MESSAGES; message++) {
            require_received(message, BENCH_NO_WAIT);
        }
        bench_task_delay(1);
    }
    proved();
}

static void sender(void) {
    BENCH_MARK("begin");
    for (uint32_t message = 0; message < MESSAGES; message++) {
        send(message);
        BENCH_REQUIRE(arrived == message + 1, "message-buffer: the receiver was not woken");
    }
    for (;;) {
        send(0);
        send(1);
        send(2);
        bench_task_delay(1);
    }
}

static const struct bench_task_declaration tasks[] = {
    TASK(receiver, 5, BENCH_READY),
    TASK(sender, 10, BENCH_READY),
};

static const struct bench_message_buffer_declaration message_buffers[] = {
    {.bytes = 48, .messages = 4},
};

const struct bench_scenario bench_scenario = {
    .name = "message-buffer", BENCH_TASKS(tasks), BENCH_MESSAGE_BUFFERS(message_buffers)};
