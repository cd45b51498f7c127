// SPDX-License-Identifier: MIT
//
// The porting contract (bench/port.h) on Linux: one process, a POSIX thread for each task.
//
// Threads have the policy SCHED_FIFO and share one processor; all memory is locked. Objects are
// those of the C library on the kernel's futexes (semaphores, mutexes, condition variables,
// read-write locks), and of the kernel itself (message queues, event descriptors, timers). Linux
// suspends no thread and has no event flags; interrupts belong to the kernel. start.c creates the
// objects.
#include "objects.h"

#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

static pthread_t tasks[MAX_TASKS];
static int notifications[MAX_TASKS]; // event descriptors
static _Thread_local uint32_t self;

// Returns the status for an error of POSIX, 0 for success.
static inline enum bench_status status(int error) {
    if (error == 0) {
        return BENCH_OK;
    }
    return error == ETIMEDOUT || error == EAGAIN || error == EBUSY ? BENCH_TIMED_OUT
                                                                   : BENCH_REFUSED;
}

// Returns the status of a function that returns a negative number and sets errno in case of error.
static inline enum bench_status status_of(ssize_t result) {
    return status(result >= 0 ? 0 : errno);
}

// --- Time ----------------------------------------------------------------------------------------
// A tick is only the contract's unit of time here: the kernel's clocks have a resolution of 1 ns.

enum { NS_PER_S = 1000000000, TICK_NS = NS_PER_S / BENCH_TICK_HZ };

static inline struct timespec time_of(uint64_t ticks) {
    return (struct timespec){.tv_sec = (time_t)(ticks / BENCH_TICK_HZ),
                             .tv_nsec = (long)(ticks % BENCH_TICK_HZ * TICK_NS)};
}

// Returns the time of `clock` at which a wait of `ticks` ends.
static inline struct timespec end_of(clockid_t clock, uint32_t ticks) {
    const struct timespec wait = time_of(ticks);
    struct timespec end;
    (void)clock_gettime(clock, &end);
    end.tv_sec += wait.tv_sec;
    end.tv_nsec += wait.tv_nsec;
    if (end.tv_nsec >= NS_PER_S) {
        end.tv_nsec -= NS_PER_S;
        end.tv_sec++;
    }
    return end;
}

void bench_task_delay(uint32_t ticks) {
    const struct timespec wait = time_of(ticks);
    (void)clock_nanosleep(CLOCK_MONOTONIC, 0, &wait, NULL);
}

void bench_task_delay_until(uint32_t *wake, uint32_t period) {
    *wake += period;
    const struct timespec at = time_of(*wake);
    (void)clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL);
}

uint32_t bench_ticks(void) {
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint32_t)now.tv_sec * BENCH_TICK_HZ + (uint32_t)(now.tv_nsec / TICK_NS);
}

// --- Tasks ---------------------------------------------------------------------------------------

// In SCHED_FIFO, 99 is the highest priority and 1 the lowest. In the contract, 1 is the highest.
static inline int kernel_priority(uint32_t priority) {
    return (int)(BENCH_PRIORITY_LOWEST + 1 - priority);
}

void bench_task_yield(void) {
    (void)sched_yield();
}

enum bench_status bench_task_set_priority(struct bench_task task, uint32_t priority) {
    return status(pthread_setschedprio(tasks[task.index], kernel_priority(priority)));
}

struct bench_task bench_task_self(void) {
    return (struct bench_task){self};
}

static void *run_task(void *index) {
    self = (uint32_t)(uintptr_t)index;
    bench_scenario.tasks[self].entry();
    bench_fail("a task's entry returned");
}

// Timers signal the first thread, so all others block signals.
static int create_thread(uint32_t index, pthread_attr_t *attributes) {
    const struct bench_task_declaration *declared = &bench_scenario.tasks[index];
    const struct sched_param priority = {.sched_priority = kernel_priority(declared->priority)};
    sigset_t none;
    (void)sigfillset(&none);
    (void)pthread_attr_setsigmask_np(attributes, &none);
    (void)pthread_attr_setinheritsched(attributes, PTHREAD_EXPLICIT_SCHED);
    (void)pthread_attr_setschedpolicy(attributes, SCHED_FIFO);
    (void)pthread_attr_setschedparam(attributes, &priority);
    (void)pthread_attr_setdetachstate(attributes, PTHREAD_CREATE_DETACHED);
    (void)pthread_attr_setstacksize(attributes, library_stack_bytes + declared->stack_bytes);
    return pthread_create(&tasks[index], attributes, run_task, (void *)(uintptr_t)index);
}

enum bench_status bench_task_create(struct bench_task task) {
    pthread_attr_t attributes;
    notifications[task.index] = eventfd(0, EFD_SEMAPHORE);
    (void)pthread_attr_init(&attributes);
    const int error = create_thread(task.index, &attributes);
    (void)pthread_attr_destroy(&attributes);
    return status(error);
}

_Noreturn void bench_task_exit(void) {
    (void)close(notifications[self]);
    pthread_exit(NULL);
}

// --- Semaphores ----------------------------------------------------------------------------------

enum bench_status bench_semaphore_take(struct bench_semaphore semaphore, uint32_t timeout_ticks) {
    sem_t *object = &semaphores[semaphore.index];
    if (timeout_ticks == BENCH_FOREVER) {
        return status_of(sem_wait(object));
    }
    if (timeout_ticks == BENCH_NO_WAIT) {
        return status_of(sem_trywait(object));
    }
    const struct timespec end = end_of(CLOCK_MONOTONIC, timeout_ticks);
    return status_of(sem_clockwait(object, CLOCK_MONOTONIC, &end));
}

enum bench_status bench_semaphore_give(struct bench_semaphore semaphore) {
    return status_of(sem_post(&semaphores[semaphore.index]));
}

// --- Mutexes and condition variables -------------------------------------------------------------

enum bench_status bench_mutex_lock(struct bench_mutex mutex, uint32_t timeout_ticks) {
    pthread_mutex_t *object = &mutexes[mutex.index];
    if (timeout_ticks == BENCH_FOREVER) {
        return status(pthread_mutex_lock(object));
    }
    if (timeout_ticks == BENCH_NO_WAIT) {
        return status(pthread_mutex_trylock(object));
    }
    const struct timespec end = end_of(CLOCK_MONOTONIC, timeout_ticks);
    return status(pthread_mutex_clocklock(object, CLOCK_MONOTONIC, &end));
}

enum bench_status bench_mutex_unlock(struct bench_mutex mutex) {
    return status(pthread_mutex_unlock(&mutexes[mutex.index]));
}

enum bench_status bench_condition_wait(struct bench_condition condition, struct bench_mutex mutex) {
    return status(pthread_cond_wait(&conditions[condition.index], &mutexes[mutex.index]));
}

enum bench_status bench_condition_signal(struct bench_condition condition) {
    return status(pthread_cond_signal(&conditions[condition.index]));
}

enum bench_status bench_condition_broadcast(struct bench_condition condition) {
    return status(pthread_cond_broadcast(&conditions[condition.index]));
}

// --- Read-write locks ----------------------------------------------------------------------------

enum bench_status bench_rwlock_lock_read(struct bench_rwlock lock, uint32_t timeout_ticks) {
    pthread_rwlock_t *object = &rwlocks[lock.index];
    if (timeout_ticks == BENCH_FOREVER) {
        return status(pthread_rwlock_rdlock(object));
    }
    if (timeout_ticks == BENCH_NO_WAIT) {
        return status(pthread_rwlock_tryrdlock(object));
    }
    const struct timespec end = end_of(CLOCK_MONOTONIC, timeout_ticks);
    return status(pthread_rwlock_clockrdlock(object, CLOCK_MONOTONIC, &end));
}

enum bench_status bench_rwlock_lock_write(struct bench_rwlock lock, uint32_t timeout_ticks) {
    pthread_rwlock_t *object = &rwlocks[lock.index];
    if (timeout_ticks == BENCH_FOREVER) {
        return status(pthread_rwlock_wrlock(object));
    }
    if (timeout_ticks == BENCH_NO_WAIT) {
        return status(pthread_rwlock_trywrlock(object));
    }
    const struct timespec end = end_of(CLOCK_MONOTONIC, timeout_ticks);
    return status(pthread_rwlock_clockwrlock(object, CLOCK_MONOTONIC, &end));
}

enum bench_status bench_rwlock_unlock_read(struct bench_rwlock lock) {
    return status(pthread_rwlock_unlock(&rwlocks[lock.index]));
}

enum bench_status bench_rwlock_unlock_write(struct bench_rwlock lock) {
    return status(pthread_rwlock_unlock(&rwlocks[lock.index]));
}

// --- Queues --------------------------------------------------------------------------------------
// The time-outs of message queues are absolute times of the realtime clock.

static inline enum bench_status send_message(const struct queue *queue, const void *message,
                                             size_t bytes, uint32_t timeout_ticks) {
    if (timeout_ticks == BENCH_FOREVER) {
        return status_of(mq_send(queue->waiting, message, bytes, 0));
    }
    if (timeout_ticks == BENCH_NO_WAIT) {
        return status_of(mq_send(queue->polling, message, bytes, 0));
    }
    const struct timespec end = end_of(CLOCK_REALTIME, timeout_ticks);
    return status_of(mq_timedsend(queue->waiting, message, bytes, 0, &end));
}

// Returns the length of the message, or a negative number and sets errno.
static inline ssize_t receive_message(const struct queue *queue, void *message, size_t bytes,
                                      uint32_t timeout_ticks) {
    if (timeout_ticks == BENCH_FOREVER) {
        return mq_receive(queue->waiting, message, bytes, NULL);
    }
    if (timeout_ticks == BENCH_NO_WAIT) {
        return mq_receive(queue->polling, message, bytes, NULL);
    }
    const struct timespec end = end_of(CLOCK_REALTIME, timeout_ticks);
    return mq_timedreceive(queue->waiting, message, bytes, NULL, &end);
}

enum bench_status bench_queue_send(struct bench_queue queue, const void *message,
                                   uint32_t timeout_ticks) {
    const size_t bytes = bench_scenario.queues[queue.index].message_bytes;
    return send_message(&queues[queue.index], message, bytes, timeout_ticks);
}

enum bench_status bench_queue_receive(struct bench_queue queue, void *message,
                                      uint32_t timeout_ticks) {
    const size_t bytes = bench_scenario.queues[queue.index].message_bytes;
    return status_of(receive_message(&queues[queue.index], message, bytes, timeout_ticks));
}

// --- Message buffers -----------------------------------------------------------------------------
// Pipes in packet mode: a read returns the message of one write. Read and write have no time-outs:
// a call with a time-out first waits with ppoll.

// Waits until one of `events` occurs. Returns BENCH_TIMED_OUT if none occurs in time.
static inline enum bench_status await(int descriptor, short events, uint32_t timeout_ticks) {
    struct pollfd event = {.fd = descriptor, .events = events};
    const struct timespec wait = time_of(timeout_ticks);
    return ppoll(&event, 1, &wait, NULL) > 0 ? BENCH_OK : BENCH_TIMED_OUT;
}

static inline bool is_timeout(uint32_t timeout_ticks) {
    return timeout_ticks != BENCH_FOREVER && timeout_ticks != BENCH_NO_WAIT;
}

enum bench_status bench_message_send(struct bench_message_buffer buffer, const void *message,
                                     uint32_t bytes, uint32_t timeout_ticks) {
    const struct ends *to = &message_buffers[buffer.index].write;
    if (is_timeout(timeout_ticks) && await(to->waiting, POLLOUT, timeout_ticks) != BENCH_OK) {
        return BENCH_TIMED_OUT;
    }
    const int end = timeout_ticks == BENCH_NO_WAIT ? to->polling : to->waiting;
    return status_of(write(end, message, bytes));
}

enum bench_status bench_message_receive(struct bench_message_buffer buffer, void *message,
                                        uint32_t *bytes, uint32_t timeout_ticks) {
    const struct ends *from = &message_buffers[buffer.index].read;
    if (is_timeout(timeout_ticks) && await(from->waiting, POLLIN, timeout_ticks) != BENCH_OK) {
        return BENCH_TIMED_OUT;
    }
    const int end = timeout_ticks == BENCH_NO_WAIT ? from->polling : from->waiting;
    const ssize_t received = read(end, message, *bytes);
    if (received < 0) {
        return status(errno);
    }
    *bytes = (uint32_t)received;
    return BENCH_OK;
}

// --- Notifications -------------------------------------------------------------------------------

enum bench_status bench_notify(struct bench_task task) {
    return status_of(eventfd_write(notifications[task.index], 1));
}

enum bench_status bench_notification_wait(uint32_t timeout_ticks) {
    const int own = notifications[self];
    eventfd_t one;
    if (timeout_ticks != BENCH_FOREVER && await(own, POLLIN, timeout_ticks) != BENCH_OK) {
        return BENCH_TIMED_OUT;
    }
    return status_of(eventfd_read(own, &one));
}

// --- Memory --------------------------------------------------------------------------------------
// The C library allocates in the process. After the start, it needs no system call.

static inline enum bench_status allocate(size_t bytes, void **block) {
    *block = malloc(bytes);
    return *block != NULL ? BENCH_OK : BENCH_REFUSED;
}

enum bench_status bench_pool_allocate(struct bench_pool pool, void **block) {
    return allocate(bench_scenario.pools[pool.index].block_bytes, block);
}

enum bench_status bench_pool_free(struct bench_pool pool, void *block) {
    (void)pool;
    free(block);
    return BENCH_OK;
}

enum bench_status bench_heap_allocate(struct bench_heap heap, uint32_t bytes, void **block) {
    (void)heap;
    return allocate(bytes, block);
}

enum bench_status bench_heap_free(struct bench_heap heap, void *block) {
    (void)heap;
    free(block);
    return BENCH_OK;
}

// --- Timers --------------------------------------------------------------------------------------
// A timer sends a signal to the first thread, whose handler (start.c) gives the semaphore.

enum bench_status bench_timer_start(struct bench_timer timer) {
    const struct bench_timer_declaration *declared = &bench_scenario.timers[timer.index];
    struct itimerspec when = {.it_value = time_of(declared->ticks)};
    if (declared->periodic) {
        when.it_interval = when.it_value;
    }
    return status_of(timer_settime(timers[timer.index], 0, &when, NULL));
}

enum bench_status bench_timer_stop(struct bench_timer timer) {
    const struct itimerspec never = {{0, 0}, {0, 0}};
    return status_of(timer_settime(timers[timer.index], 0, &never, NULL));
}
