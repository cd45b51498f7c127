// SPDX-License-Identifier: MIT
//
// A receiver of higher priority waits for a message, and runs as soon as it is sent.
#include "services.h"

enum { RECEIVER, SENDER, TASKS };

static const struct bench_message_buffer buffer = {0};
static uint8_t sent[PARAM_BYTES], received[PARAM_BYTES];

static void receiver(void) {
    for (;;) {
        uint32_t bytes = sizeof(received);
        const enum bench_status status =
            bench_message_receive(buffer, received, &bytes, BENCH_FOREVER);
        BENCH_MARK("receive.after");
        BENCH_REQUIRE(status == BENCH_OK, "message-buffer: a message is missing");
        BENCH_REQUIRE(bytes == sizeof(sent) && received[0] == sent[0],
                      "message-buffer: a message differs from the one sent");
    }
}

static void sender(void) {
    for (;;) {
        sent[0]++;
        BENCH_MARK("send.before");
        const enum bench_status status =
            bench_message_send(buffer, sent, sizeof(sent), BENCH_FOREVER);
        BENCH_REQUIRE(status == BENCH_OK, "message-buffer: refused below capacity");
    }
}

static const struct bench_task_declaration tasks[] = {
    [RECEIVER] = TASK(receiver, HIGH_PRIORITY),
    [SENDER] = TASK(sender, LOW_PRIORITY),
};

static const struct bench_message_buffer_declaration message_buffers[] = {
    {.bytes = 2 * PARAM_BYTES, .messages = 2},
};

const struct bench_scenario bench_scenario = {
    .name = "message-send-unblock", SO_MANY(tasks, TASKS), BENCH_MESSAGE_BUFFERS(message_buffers)};
