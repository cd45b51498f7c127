// SPDX-License-Identifier: MIT
//
// Makes the port's objects local objects of one process, named by address (bulkhead/local.h).
#ifndef OBJECTS_LOCAL_H
#define OBJECTS_LOCAL_H

#include <bulkhead/local.h>

// Generated from the scenario's declaration (generate.py), which has one process.
extern struct bulkhead_semaphore local_semaphores_process_0[];
extern struct bulkhead_mutex local_mutexes_process_0[];
extern struct bulkhead_queue local_queues_process_0[];
extern struct bulkhead_flags local_flags_process_0[];
extern struct bulkhead_pool local_pools_process_0[];

#define SEMAPHORE(index) (&local_semaphores_process_0[index])
#define MUTEX(index) (&local_mutexes_process_0[index])
#define QUEUE(index) (&local_queues_process_0[index])
#define FLAGS(index) (&local_flags_process_0[index])
#define POOL(index) (&local_pools_process_0[index])

#endif
