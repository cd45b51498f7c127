// SPDX-License-Identifier: MIT
//
// Every path on which a thread blocks, and those on which two threads change an object in user
// space, with an interrupt before each instruction: it resumes a higher thread, which at once does
// what the lower one waits for, or is about to.
//
// What must hold, wherever the interrupt came: the lower thread goes on, with the result and the
// message that it has to have, and the object is then as it was.
#include "handles.h"
#include "report.h"
#include <bench/injection.h>
#include <bulkhead/local.h>

extern struct bulkhead_semaphore bulkhead_semaphores[];
extern struct bulkhead_mutex bulkhead_mutexes[];
extern struct bulkhead_queue bulkhead_queues[];
void bulkhead_idle(void);

enum { IDLE_BYTES = 32, POSITIONS = 2000 };

// What the lower thread waits for, and what ends that. Each returns whether it was done.
struct path {
    const char *name;
    bool (*wait)(void), (*end)(void);
    bool (*prepare)(void), (*restore)(void); // by the higher thread before, the lower one after
};

static volatile uint32_t number; // of the attempt: what the message has to be

static bool is_ok(enum bulkhead_result result) {
    return result == BULKHEAD_OK;
}

static bool nothing(void) {
    return true;
}

static bool take_own(void) {
    return is_ok(bulkhead_local_semaphore_take(bulkhead_semaphores, BULKHEAD_FOREVER));
}

static bool give_own(void) {
    return is_ok(bulkhead_local_semaphore_give(bulkhead_semaphores));
}

static bool take(void) {
    return is_ok(bulkhead_semaphore_take(SEMAPHORE_KERNELS, BULKHEAD_FOREVER));
}

static bool give(void) {
    return is_ok(bulkhead_semaphore_give(SEMAPHORE_KERNELS));
}

static bool lock_own(void) {
    return is_ok(bulkhead_local_mutex_lock(bulkhead_mutexes, BULKHEAD_FOREVER));
}

static bool unlock_own(void) {
    return is_ok(bulkhead_local_mutex_unlock(bulkhead_mutexes));
}

static bool lock(void) {
    return is_ok(bulkhead_mutex_lock(MUTEX_KERNELS, BULKHEAD_FOREVER));
}

static bool unlock(void) {
    return is_ok(bulkhead_mutex_unlock(MUTEX_KERNELS));
}

static bool is_message(const uint32_t message[2]) {
    return message[0] == number && message[1] == ~number;
}

static bool send_own(void) {
    const uint32_t message[2] = {number, ~number};
    return is_ok(bulkhead_queue_send(bulkhead_queues, message, BULKHEAD_FOREVER));
}

static bool receive_own(void) {
    uint32_t message[2];
    return is_ok(bulkhead_queue_receive(bulkhead_queues, message, BULKHEAD_FOREVER)) &&
           is_message(message);
}

static bool send(void) {
    const uint32_t message[2] = {number, ~number};
    return is_ok(bulkhead_kernel_queue_send(QUEUE_KERNELS, message, BULKHEAD_FOREVER));
}

static bool receive(void) {
    uint32_t message[2];
    return is_ok(bulkhead_kernel_queue_receive(QUEUE_KERNELS, message, BULKHEAD_FOREVER)) &&
           is_message(message);
}

static bool listen(void) {
    return is_ok(bulkhead_notification_wait(BULKHEAD_FOREVER));
}

static bool notify(void) {
    return is_ok(bulkhead_notify(THREAD_LOW));
}

static bool await(void) {
    uint32_t flags = 1;
    return is_ok(bulkhead_flags_take_any(FLAGS_KERNELS, &flags, BULKHEAD_FOREVER)) && flags == 1;
}

static bool set(void) {
    return is_ok(bulkhead_flags_set(FLAGS_KERNELS, 1));
}

static bool give_two(void) {
    return give_own() && give_own();
}

static bool take_two(void) {
    return take_own() && take_own();
}

static bool send_two(void) {
    return send_own() && send_own();
}

static bool receive_two(void) {
    return receive_own() && receive_own();
}

static const struct path paths[] = {
    {"a semaphore of its own", take_own, give_own, nothing, nothing},
    {"a semaphore", take, give, nothing, nothing},
    {"a mutex of its own", lock_own, unlock_own, lock_own, unlock_own},
    {"a mutex", lock, unlock, lock, unlock},
    {"an empty queue of its own", receive_own, send_own, nothing, nothing},
    {"an empty queue", receive, send, nothing, nothing},
    {"a full queue of its own", send_own, receive_own, send_two, receive_two},
    {"a full queue", send, receive, send, receive},
    {"a notification", listen, notify, nothing, nothing},
    {"flags", await, set, nothing, nothing},
    {"a semaphore that both take", take_own, take_own, give_two, nothing},
    {"a semaphore that both give", give_own, give_own, nothing, take_two},
    {"a queue that both empty", receive_own, receive_own, send_two, nothing},
    {"a queue that both fill", send_own, send_own, nothing, receive_two},
};

static const struct path *path;

// Suspended twice a round: for the lower one to begin, and until the interrupt.
void high_main(void);
void high_main(void) {
    for (;;) {
        bulkhead_suspend(THREAD_HIGH);
        require(path->prepare(), path->name);
        bulkhead_suspend(THREAD_HIGH);
        require(path->end(), path->name);
    }
}

// Returns before which instruction the interrupt came.
static uint32_t attempt(uint32_t position) {
    number++;
    bulkhead_resume(THREAD_HIGH);
    bench_injection_arm(position);
    require(path->wait(), path->name);
    const uint32_t where = bench_injection_disarm();
    if (where == 0) { // it did not come in time
        bulkhead_resume(THREAD_HIGH);
    }
    require(path->restore(), path->name);
    return where;
}

// Until the interrupt finds the lower thread waiting, so that idle runs, or past its path.
static uint32_t sweep(void) {
    uint32_t position = 1, where;
    while ((where = attempt(position)) != 0 && where - (uint32_t)bulkhead_idle >= IDLE_BYTES) {
        require(position++ < POSITIONS, "a path has no end");
    }
    return position;
}

void low_main(void);
void low_main(void) {
    uint32_t positions = 0;
    bench_injection_bind(0);
    for (uint32_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
        path = &paths[i];
        positions += sweep();
    }
    say("positions: paths ");
    say_number(sizeof paths / sizeof paths[0]);
    say(", interrupts ");
    say_number(positions);
    succeed();
}
