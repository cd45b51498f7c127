// SPDX-License-Identifier: MIT
//
// Ferry, an example kernel for porting: a small kernel whose services are unlike the defaults of
// the porting contract. Waiters are served in the order in which they came, no wait has a timeout,
// semaphores have no maximum, and mailboxes pass one word, for example the address of a buffer. A
// thread that blocks switches in thread mode, by a function call, without an exception.
#ifndef FERRY_H
#define FERRY_H

#include <stdbool.h>
#include <stdint.h>

#define FERRY_PRIORITIES 32

struct ferry_thread {
    void *sp; // must be first: switch.S uses it
    struct ferry_thread *next;
    uint32_t priority; // 0 is the highest
    uint32_t wake_tick;
    uint32_t message; // handed over by a sender
    bool suspended;
};

// Threads in a row.
struct ferry_line {
    struct ferry_thread *first, *last;
};

struct ferry_semaphore {
    uint32_t count;
    struct ferry_line waiters;
};

struct ferry_mutex {
    struct ferry_thread *owner;
    struct ferry_line waiters;
};

struct ferry_mailbox {
    uint32_t *words; // room for `capacity` messages
    uint32_t capacity, first, count;
    struct ferry_line waiters;
};

extern struct ferry_thread *ferry_current;

// Creates a thread that runs `entry` on a stack that ends at `stack_end`. The thread is ready, or
// suspended. Call it before or after ferry_start, not from a handler.
void ferry_create(struct ferry_thread *thread, uint32_t priority, void (*entry)(void),
                  void *stack_end, bool suspended);

// Runs the threads. The caller becomes the idle thread, and ferry_start returns to it when no other
// thread is ready.
void ferry_start(void);

// Advances time by one tick. The handler of a timer interrupt calls it.
void ferry_tick(void);
uint32_t ferry_ticks(void);

void ferry_yield(void);
void ferry_sleep_until(uint32_t tick);
void ferry_suspend_self(void);
void ferry_resume(struct ferry_thread *thread);

void ferry_take(struct ferry_semaphore *semaphore);
bool ferry_try_take(struct ferry_semaphore *semaphore);
void ferry_give(struct ferry_semaphore *semaphore);

void ferry_lock(struct ferry_mutex *mutex);
bool ferry_try_lock(struct ferry_mutex *mutex);
bool ferry_unlock(struct ferry_mutex *mutex); // false if the caller does not own it

bool ferry_post(struct ferry_mailbox *box, uint32_t message); // false if the box is full
uint32_t ferry_fetch(struct ferry_mailbox *box);
bool ferry_try_fetch(struct ferry_mailbox *box, uint32_t *message);

// For interrupt handlers. The thread that they wake runs after all handlers are done.
void ferry_give_from_interrupt(struct ferry_semaphore *semaphore);
void ferry_resume_from_interrupt(struct ferry_thread *thread);

#endif
