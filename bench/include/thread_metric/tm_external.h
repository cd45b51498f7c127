// SPDX-License-Identifier: MIT
//
// Thread-Metric's services as an existing port defines them. bench/src/thread_metric_port.c calls
// tm_initialize and the creation services, the scenarios call the others.
#ifndef TM_EXTERNAL_H
#define TM_EXTERNAL_H

#ifdef __cplusplus
extern "C" {
#endif

// As for the contract's services: the build may inline all services into the scenario.
#ifdef BENCH_INLINING
#define TM_SERVICE __attribute__((BENCH_INLINING))
#else
#define TM_SERVICE
#endif

// Where the contract fails at once (a full queue, a semaphore at 0), such a port may wait, and it
// chooses the depth of its queues. The verification therefore checks only what every port must do.
#define TM_REFUSES 0

// Such a port may align its blocks to any address.
#define TM_BLOCK_ALIGNMENT 1

// Calls the function, which creates the threads, and starts the kernel. It may return if the kernel
// runs the threads nevertheless: the caller is then the kernel's idle or lowest thread.
void tm_initialize(void (*test_initialization_function)(void));

// `thread_id` is 0 … 9, `priority` 1 (highest) … 31. A thread is created suspended.
int tm_thread_create(int thread_id, int priority, void (*entry_function)(void));
TM_SERVICE int tm_thread_resume(int thread_id);
TM_SERVICE int tm_thread_suspend(int thread_id);
TM_SERVICE void tm_thread_relinquish(void);
TM_SERVICE void tm_thread_sleep(int seconds);

// Messages have 16 bytes: four unsigned long on a 32-bit machine.
int tm_queue_create(int queue_id);
TM_SERVICE int tm_queue_send(int queue_id, unsigned long *message_ptr);
TM_SERVICE int tm_queue_receive(int queue_id, unsigned long *message_ptr);

// A semaphore's initial count is 1.
int tm_semaphore_create(int semaphore_id);
TM_SERVICE int tm_semaphore_get(int semaphore_id);
TM_SERVICE int tm_semaphore_put(int semaphore_id);

// Blocks have 128 bytes.
int tm_memory_pool_create(int pool_id);
TM_SERVICE int tm_memory_pool_allocate(int pool_id, unsigned char **memory_ptr);
TM_SERVICE int tm_memory_pool_deallocate(int pool_id, unsigned char *memory_ptr);

// The port's interrupt calls these. Defined in bench/src/thread_metric_port.c.
void tm_interrupt_handler(void);
void tm_interrupt_preemption_handler(void);

// The port defines it; it takes a real interrupt, or traps (kernel.toml: interrupt.source). If the
// official header has a macro for this, the port puts the macro into this function.
TM_SERVICE void tm_cause_interrupt(void);
#define TM_CAUSE_INTERRUPT tm_cause_interrupt()

#ifdef __cplusplus
}
#endif

#endif
