// SPDX-License-Identifier: MIT
//
// Queues of the kernel: no thread waits while it could go on, whatever happens to a thread that was
// woken for it. That thread may be killed or suspended, or may have no right to its message.
#include "world.h"

enum { NO_MEMORY = 0 };

static uint32_t sent, received; // by threads that cannot be killed

static void sends_one(void) {
    const uint32_t message = ++sent;
    world_require(bulkhead_queue_send(WORLD_QUEUE, &message, BULKHEAD_FOREVER) == BULKHEAD_OK,
                  "a send failed");
}

static void receives_one(void) {
    uint32_t message;
    world_require(bulkhead_queue_receive(WORLD_QUEUE, &message, BULKHEAD_FOREVER) == BULKHEAD_OK,
                  "a receive failed");
    received++;
}

static void sends_three(void) {
    for (uint32_t i = 0; i < 3; i++) {
        sends_one();
    }
}

static void receives_three(void) {
    for (uint32_t i = 0; i < 3; i++) {
        receives_one();
    }
}

// Keeps a thread alive: the end of a thread wakes others, as if that thread had been woken for
// nothing.
static void stay(uint32_t thread) {
    bulkhead_suspend(WORLD_THREAD + thread);
}

static void first_receives_three(void) {
    receives_three();
    stay(0);
}

static void first_sends_three(void) {
    sends_three();
    stay(0);
}

static void second_sends_three(void) {
    sends_three();
    stay(1);
}

static void second_receives_three(void) {
    receives_three();
    stay(1);
}

static void client_sends_two(void) {
    sends_one();
    sends_one();
    stay(WORLD_CLIENT);
}

static void client_receives_two(void) {
    receives_one();
    receives_one();
    stay(WORLD_CLIENT);
}

static void suspends_client(void) {
    bulkhead_suspend(WORLD_THREAD + WORLD_CLIENT);
}

// Sends a message that is not in memory of the client. The client then takes nothing from other
// threads. It does not end, because its end would wake them too.
static void fails_to_send(void) {
    world_require(bulkhead_queue_send(WORLD_QUEUE, (void *)NO_MEMORY, BULKHEAD_FOREVER) ==
                      BULKHEAD_DENIED,
                  "a message was read from nowhere");
    suspends_client();
}

static void fails_to_receive(void) {
    world_require(bulkhead_queue_receive(WORLD_QUEUE, (void *)NO_MEMORY, BULKHEAD_FOREVER) ==
                      BULKHEAD_DENIED,
                  "a message was written to nowhere");
    suspends_client();
}

// Raises the priority of a waiting thread, which may become the highest.
static void raises_second(void) {
    bulkhead_set_priority(WORLD_THREAD + 1, 2);
}

static void raises_second_and_suspends_client(void) {
    raises_second();
    suspends_client();
}

static const char *wrong(bool rests) {
    return rests ? world_queue_wrong() : NULL;
}

const struct scenario kernel_queue_scenarios[] = {
    {.name = "kernel's queue: the end of a sender",
     .programs = {receives_three, sends_one, NULL, sends_three},
     .priorities = {5, 5, 0, 4},
     .faults = 1,
     .capacity = 1,
     .wrong = wrong},
    {.name = "kernel's queue: three senders, and the end of one",
     .programs = {receives_three, sends_one, NULL, sends_one, sends_one},
     .priorities = {6, 7, 0, 4, 5},
     .faults = 1,
     .capacity = 1,
     .wrong = wrong},
    {.name = "kernel's queue: the end of a receiver",
     .programs = {sends_three, receives_one, NULL, receives_three},
     .priorities = {5, 5, 0, 4},
     .faults = 1,
     .capacity = 1,
     .wrong = wrong},
    {.name = "kernel's queue: two places",
     .programs = {receives_three, sends_three, NULL, sends_three},
     .priorities = {5, 5, 0, 4},
     .faults = 1,
     .capacity = 2,
     .wrong = wrong},
    {.name = "kernel's queue: two senders that wait for two places",
     .programs = {first_receives_three, second_sends_three, NULL, client_sends_two},
     .priorities = {3, 5, 0, 4},
     .capacity = 2,
     .wrong = wrong},
    {.name = "kernel's queue: two receivers that wait for two messages",
     .programs = {first_sends_three, second_receives_three, NULL, client_receives_two},
     .priorities = {3, 5, 0, 4},
     .capacity = 2,
     .wrong = wrong},
    {.name = "kernel's queue: a sender that has no message",
     .programs = {receives_three, sends_three, NULL, fails_to_send},
     .priorities = {5, 5, 0, 4},
     .capacity = 1,
     .wrong = wrong},
    {.name = "kernel's queue: a receiver that has no room",
     .programs = {sends_three, receives_three, NULL, fails_to_receive},
     .priorities = {5, 5, 0, 4},
     .capacity = 1,
     .wrong = wrong},
    {.name = "kernel's queue: a sender that is suspended",
     .programs = {receives_three, sends_one, suspends_client, sends_three},
     .priorities = {5, 5, 3, 4},
     .capacity = 1,
     .wrong = wrong},
    {.name = "kernel's queue: a receiver that is suspended",
     .programs = {sends_three, receives_one, suspends_client, receives_three},
     .priorities = {5, 5, 3, 4},
     .capacity = 1,
     .wrong = wrong},
    {.name = "kernel's queue: a sender that is raised",
     .programs = {receives_three, sends_three, raises_second, fails_to_send},
     .priorities = {5, 6, 3, 4},
     .capacity = 1,
     .wrong = wrong},
    {.name = "kernel's queue: one that is raised while another is suspended",
     .programs = {receives_three, sends_three, raises_second_and_suspends_client, sends_one},
     .priorities = {5, 6, 3, 4},
     .capacity = 1,
     .wrong = wrong},
    {0},
};
