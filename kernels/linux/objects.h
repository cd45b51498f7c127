// SPDX-License-Identifier: MIT
//
// The handles of a scenario's objects, which start.c creates and port.c uses.
#ifndef LINUX_OBJECTS_H
#define LINUX_OBJECTS_H

#define _GNU_SOURCE
#include <bench/port.h>

#include <mqueue.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

// Room for the handles. The start-up refuses a scenario that declares more objects.
enum { MAX_TASKS = 64, MAX_SEMAPHORES = 8, MAX_MUTEXES = 8, MAX_QUEUES = 4 };
enum { MAX_CONDITIONS = 4, MAX_RWLOCKS = 4, MAX_MESSAGE_BUFFERS = 4, MAX_TIMERS = 4 };

// A descriptor is either blocking or non-blocking, so each object has a descriptor of each kind.
struct queue {
    mqd_t waiting, polling;
};
struct ends {
    int waiting, polling;
};
struct pipe {
    struct ends read, write;
};

extern sem_t semaphores[MAX_SEMAPHORES];
extern pthread_mutex_t mutexes[MAX_MUTEXES];
extern pthread_cond_t conditions[MAX_CONDITIONS];
extern pthread_rwlock_t rwlocks[MAX_RWLOCKS];
extern struct queue queues[MAX_QUEUES];
extern struct pipe message_buffers[MAX_MESSAGE_BUFFERS];
extern timer_t timers[MAX_TIMERS];

extern size_t library_stack_bytes; // the part of each stack that the C library needs

#endif
