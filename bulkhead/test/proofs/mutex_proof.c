// SPDX-License-Identifier: MIT
//
// Proof about core/mutex.c: the word of a local mutex is in the memory of its process. Whatever the
// process writes into it, the kernel uses only a thread of that process as the holder.
#include "proof.h"

// The proofs are of the kernel that is compiled for size. The short cuts of other levels begin
// after the kernel has decided which thread is the holder, and move threads in the ready queue,
// which has no threads here; bulkhead/test/model explores them.
#define __OPTIMIZE_SIZE__ 1
#include <mutex.c>

enum { THREADS = 3 };

struct kernel kernel;
struct thread kernel_threads[THREADS];
const uint32_t kernel_thread_count = THREADS;
static struct process ours, theirs;
static uint32_t word; // the mutex's word in the memory of the process
struct mutex kernel_mutexes[1] = {{.word = &word, .process = &ours}};
const uint32_t kernel_mutex_count = 1;
static enum bulkhead_result result;
static bool waits;

static void begin(void) {
    for (uint32_t i = 0; i < THREADS; i++) {
        kernel_threads[i].process = nondet_bool() ? &ours : &theirs;
        kernel_threads[i].state = nondet_word();
    }
    word = nondet_word();
    kernel.current = &kernel_threads[0];
    result = BULKHEAD_OK;
    waits = false;
}

PROOF(named_holder, 5) {
    begin();
    const struct thread *named = named_holder(&kernel_mutexes[0], word);
    const bool is_thread =
        named == &kernel_threads[0] || named == &kernel_threads[1] || named == &kernel_threads[2];
    require(named == NULL || is_thread);
    require(named == NULL || named->process == &ours);
    require(named == NULL || (word & ~1u) == thread_identity(named));
}

// A thread locks a mutex of its process whose word has any value.
LONG_PROOF(lock, 5) {
    struct arch_frame frame = {.argument = nondet_word()};
    begin();
    kernel_threads[0].process = &ours;
    const uint32_t before = word;
    ignore_next(mutex_lock(&kernel_mutexes[0], &frame));
    struct thread *const holder = kernel_mutexes[0].resource.holder;
    require(holder == NULL || holder->process == &ours);
    require(holder == NULL || (waits && holder != kernel.current));
    require(before != BULKHEAD_MUTEX_FREE || word == thread_identity(kernel.current));
    require(result == BULKHEAD_OK || word == before);
}

PROOF(unlock, 5) {
    begin();
    const uint32_t before = word;
    ignore_next(mutex_unlock(&kernel_mutexes[0]));
    const bool was_ours = before == thread_identity(kernel.current);
    require(word == (was_ours ? BULKHEAD_MUTEX_FREE : before));
    require(result == (was_ours ? BULKHEAD_OK : BULKHEAD_REFUSED));
}

// --- Stubs of other files ------------------------------------------------------------------------

struct thread *kernel_fail(enum bulkhead_result failure) {
    result = failure;
    return NO_SWITCH;
}

struct thread *thread_wait(struct wait_list *list, uint32_t timeout_ticks) {
    (void)list, (void)timeout_ticks;
    waits = true;
    return NO_SWITCH;
}

void thread_lend(struct thread *thread, uint32_t mask) {
    (void)thread, (void)mask;
}
void thread_inherit(struct thread *thread) {
    (void)thread;
}
void gate_use_slow_path(struct thread *server) {
    (void)server;
}
struct thread *thread_wake_first(struct wait_list *list) {
    (void)list;
    return NO_SWITCH;
}
