// SPDX-License-Identifier: MIT
//
// Makes the port's objects objects of the kernel, named by handles: a service is one system call.
#ifndef OBJECTS_KERNEL_H
#define OBJECTS_KERNEL_H

#define SEMAPHORE(index) (SEMAPHORE_HANDLES + (index))
#define MUTEX(index) (MUTEX_HANDLES + (index))
#define QUEUE(index) (QUEUE_HANDLES + (index))
#define FLAGS(index) (FLAGS_HANDLES + (index))
#define POOL(index) (POOL_HANDLES + (index))

#endif
