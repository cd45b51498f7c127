// SPDX-License-Identifier: MIT
//
// Model of queues in the kernel: no thread waits although it could continue, whatever happens to
// another thread that was woken to send or receive first. Such a thread may be terminated or
// suspended, or may have passed an address that it has no right to.
#include "world.h"

enum { NO_MEMORY = 0 };

// Number of messages sent and received by threads that are not terminated.
static uint32_t sent, received;

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

// Keeps a thread from exiting. An exit wakes other waiters, and would hide that the thread itself
// failed to wake them.
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

// The client sends a message at an address outside its memory. The call must fail without using up
// a free place that other threads wait for. The client does not exit, because its exit would wake
// the other threads.
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

// Raises the priority of the second thread, which may wait and may then be the highest waiter.
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
