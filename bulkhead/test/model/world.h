// SPDX-License-Identifier: MIT
//
// The world that the model explores: the real core of the kernel, three threads of one process, a
// server and a client in processes of their own, and interrupts that may come before any access of
// a thread to shared memory.
//
// Interrupts start the threads, one by one, count ticks, post the semaphore, set a flag and end
// time slices. The scenario gives the number of each, and how often the server or the client
// faults. A system call is one step: nothing interrupts it. Before a thread repeats a call, it may
// be stopped, and may fault. Deferred work is done in steps of idle.
#ifndef WORLD_H
#define WORLD_H

#include <bulkhead/local.h>
#include <stdbool.h>
#include <stdint.h>

// The server's process restarts after a fault; the client's process is terminated.
enum { WORLD_CLIENT = 3, WORLD_SERVER, WORLD_THREADS };

struct scenario {
    const char *name;
    void (*programs[WORLD_THREADS])(void);
    uint32_t priorities[WORLD_THREADS];
    uint32_t ticks, gives, sets; // number of interrupts
    uint32_t faults;
    bool first_process_restarts; // after a fault of one of its threads; otherwise it is terminated
    bool is_supervised;          // no process restarts by itself: supervisors decide
    bool in_pieces;              // all work is deferred: an interrupt is always pending
    uint32_t initial, maximum;   // of the semaphore
    uint32_t capacity;           // of either queue
    const char *(*wrong)(bool rests);
};

// The objects in user space, one of each kind.
extern struct bulkhead_semaphore world_semaphores[];
extern struct bulkhead_mutex world_mutexes[];
extern struct bulkhead_queue world_queues[];
extern struct bulkhead_flags world_flags[];
extern struct bulkhead_pool world_pools[];

// Handles, which are the same in every process. The handles of the first process's own objects come
// first.
enum {
    WORLD_SEMAPHORE = 1,
    WORLD_LOCAL_QUEUE,
    WORLD_FLAGS,
    WORLD_MUTEX,
    WORLD_OTHER_MUTEX,
    WORLD_SHARED_MUTEX,
    WORLD_OTHER_SHARED_MUTEX,
    WORLD_GATE,       // of the server
    WORLD_FIRST_GATE, // of thread 0
    WORLD_POOL,
    WORLD_QUEUE,
    WORLD_PROCESS,       // the server's
    WORLD_FIRST_PROCESS, // that of threads 0 to 2
    WORLD_THREAD,        // + the number of a thread
};
enum { WORLD_BLOCKS = 2 }; // of either pool
// The flag that interrupts set.
enum { WORLD_SET_BY_INTERRUPTS = 4 };

// If `condition` is false, a thread's result is wrong, and so is the next state.
void world_require(bool condition, const char *line);

// Precedes an access to shared memory in a restartable sequence. Returns true if other threads ran:
// the sequence has to start again.
bool world_sequence_point(void);

// Precedes an access that is not in a restartable sequence: interrupts may come.
void world_point(void);

// Returns any number below `count`, which is at most WORLD_CHOICES. The explorer tries all of them.
enum { WORLD_CHOICES = 8 };
uint32_t world_choose(uint32_t count);

bool world_has_ended(uint32_t thread);
// Returns whether a thread waits with a timeout. If the world rests, this thread would go on after
// more ticks.
bool world_has_timeouts(void);
bool world_all_ended(void);
bool world_has_faulted(void); // whether any thread has faulted
// Returns the initial count of the semaphore plus the counts from interrupts.
int32_t world_given(void);
// Returns an error if the threads' priorities are wrong, otherwise NULL.
const char *world_inheritance_wrong(void);
// Does the same for the server.
const char *world_server_wrong(void);
// Returns whether the server waits for a call, and no thread waits for the server.
bool world_server_rests(void);
// Returns an error if a thread waits for the kernel's queue although it could go on, otherwise
// NULL.
const char *world_queue_wrong(void);
void *world_after_blocks(void);   // address after the last block of the kernel's pool
uint32_t world_free_blocks(void); // of the kernel's pool; more than there are if its list is broken

// Puts the world into the scenario's first state.
void world_begin(const struct scenario *scenario);

extern const struct scenario semaphore_scenarios[], mutex_scenarios[], queue_scenarios[];
extern const struct scenario kernel_queue_scenarios[], flags_scenarios[], pool_scenarios[];
extern const struct scenario gate_scenarios[], nested_scenarios[], hostile_scenarios[];
extern const struct scenario restart_scenarios[];

#endif
