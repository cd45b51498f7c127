// SPDX-License-Identifier: MIT
//
// The world that is explored: the kernel's core as it is, three threads of one process, a server
// and a client in processes of their own, and interrupts that come before any access of a thread to
// what it shares.
//
// Interrupts start the threads, one by one, count ticks, give the semaphore, set a flag and end
// time slices; how many of each, the scenario says, and how often the server or the client faults.
// System calls are single steps: nothing interrupts them. Before one that is made again, the thread
// may be stopped, and may fault. What a call puts off is done in steps of idle.
#ifndef WORLD_H
#define WORLD_H

#include <bulkhead/local.h>
#include <stdbool.h>
#include <stdint.h>

// A process that faults begins again if it is the server's, and is gone if it is the client's.
enum { WORLD_CLIENT = 3, WORLD_SERVER, WORLD_THREADS };

struct scenario {
    const char *name;
    void (*programs[WORLD_THREADS])(void);
    uint32_t priorities[WORLD_THREADS];
    uint32_t ticks, gives, sets; // interrupts
    uint32_t faults;
    bool first_process_restarts; // after a fault of one of its threads; else it is terminated
    bool in_pieces; // whatever the kernel may put off it does: an interrupt is always pending
    uint32_t initial, maximum; // of the semaphore
    uint32_t capacity;         // of either queue
    const char *(*wrong)(bool rests);
};

// The objects, in user space: one of each.
extern struct bulkhead_semaphore world_semaphores[];
extern struct bulkhead_mutex world_mutexes[];
extern struct bulkhead_queue world_queues[];
extern struct bulkhead_flags world_flags[];
extern struct bulkhead_pool world_pools[];

// Handles, the same in every process. Those of the first process's own objects come first.
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
    WORLD_THREAD, // + the number of a thread
};
enum { WORLD_BLOCKS = 2 }; // of either pool
// The flag that interrupts set.
enum { WORLD_SET_BY_INTERRUPTS = 4 };

// A thread's result is not what it has to be: the next state is wrong.
void world_require(bool condition, const char *line);

// Before an access to shared memory in a restartable sequence. True if other threads ran: the
// sequence begins again.
bool world_sequence_point(void);

// Before an access that is made in this place and nowhere else: interrupts may come.
void world_point(void);

// Returns any number below `count`, which is at most WORLD_CHOICES: the explorer tries all of them.
enum { WORLD_CHOICES = 8 };
uint32_t world_choose(uint32_t count);

bool world_has_ended(uint32_t thread);
// A thread waits with a timeout. In a world that rests it would go on if more ticks came.
bool world_has_timeouts(void);
bool world_all_ended(void);
bool world_has_faulted(void); // some thread has
// Counts that the semaphore had at first, or got from interrupts.
int32_t world_given(void);
// What is wrong with the threads' priorities, or NULL.
const char *world_inheritance_wrong(void);
// The same of the server.
const char *world_server_wrong(void);
// The server waits for a call, and nobody waits for it.
bool world_server_rests(void);
// Who waits for the kernel's queue and could go on, or NULL.
const char *world_queue_wrong(void);
void *world_after_blocks(void);   // where a block would begin after the last of the kernel's pool
uint32_t world_free_blocks(void); // of the kernel's pool; more than there are if its list is broken

// Goes to the scenario's first state.
void world_begin(const struct scenario *scenario);

extern const struct scenario semaphore_scenarios[], mutex_scenarios[], queue_scenarios[];
extern const struct scenario kernel_queue_scenarios[], flags_scenarios[], pool_scenarios[];
extern const struct scenario gate_scenarios[], nested_scenarios[], hostile_scenarios[];

#endif
