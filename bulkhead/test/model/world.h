// SPDX-License-Identifier: MIT
//
// The system that the model explores (the world): the real core of the kernel, three threads of one
// process, a server and a client in two other processes, and interrupts that may come before any
// access of a thread to shared memory.
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
    uint32_t ticks, gives, sets; // how many interrupts of each kind may come
    uint32_t faults;
    // After a fault, the process of threads 0 to 2 restarts; otherwise it is only terminated.
    bool first_process_restarts;
    bool is_supervised; // the kernel restarts no process by itself; supervisors do
    bool in_pieces;     // an interrupt is always pending, so the kernel defers all work that it can
    uint32_t initial, maximum; // of the semaphore
    uint32_t capacity;         // number of messages for which each of the two queues has room
    const char *(*wrong)(bool rests);
};

// The local objects, in the memory of the process, one of each kind.
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
    WORLD_GATE,       // gate that the server serves
    WORLD_FIRST_GATE, // gate that thread 0 serves
    WORLD_POOL,
    WORLD_QUEUE,
    WORLD_PROCESS,       // the server's process
    WORLD_FIRST_PROCESS, // the process of threads 0 to 2
    WORLD_THREAD,        // add the number of the thread
};
enum { WORLD_BLOCKS = 2 }; // number of blocks of each of the two pools
// The flag that interrupts set.
enum { WORLD_SET_BY_INTERRUPTS = 4 };

// If `condition` is false, reports `line` as an error of the next state.
void world_require(bool condition, const char *line);

// Call this before an access to shared memory in a restartable sequence: other threads may run
// here. Returns true if they did, so that the sequence has to start again.
bool world_sequence_point(void);

// Call this before an access to shared memory outside a restartable sequence: interrupts may come
// here.
void world_point(void);

// Returns any number below `count`, which is at most WORLD_CHOICES. The explorer tries all of them.
enum { WORLD_CHOICES = 8 };
uint32_t world_choose(uint32_t count);

bool world_has_ended(uint32_t thread);
// Returns whether a thread waits with a timeout. Such a thread would continue after more ticks, so
// it does not count as blocked for ever.
bool world_has_timeouts(void);
bool world_all_ended(void);
bool world_has_faulted(void); // whether any thread has faulted
// Returns the initial count of the semaphore plus the number of counts that interrupts have
// given.
int32_t world_given(void);
// Returns an error if the threads' priorities are wrong, otherwise NULL.
const char *world_inheritance_wrong(void);
// Returns an error if the server's priority is wrong, otherwise NULL.
const char *world_server_wrong(void);
// Returns whether the server waits for a call, and no thread waits for the server.
bool world_server_rests(void);
// Returns an error if a thread waits for the kernel's queue although it could continue, otherwise
// NULL.
const char *world_queue_wrong(void);
void *world_after_blocks(void); // address after the last block of the kernel's pool
// Number of free blocks of the kernel's pool; above WORLD_BLOCKS if the list is broken.
uint32_t world_free_blocks(void);

// Sets the world to the initial state of `scenario`.
void world_begin(const struct scenario *scenario);

extern const struct scenario semaphore_scenarios[], mutex_scenarios[], queue_scenarios[];
extern const struct scenario kernel_queue_scenarios[], flags_scenarios[], pool_scenarios[];
extern const struct scenario gate_scenarios[], nested_scenarios[], hostile_scenarios[];
extern const struct scenario restart_scenarios[];

#endif
