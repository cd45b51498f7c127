// SPDX-License-Identifier: MIT
//
// The actions of the test `tangle`: random calls, nested as deep as a stack allows. Each result
// must be one that the interface allows; the test does not distinguish them further.
#include "tangle.h"
#include "handles.h"
#include "report.h"
#include <bulkhead/bulkhead.h>

enum { DEPTH = 4, KINDS = 18 };

// Returns a random number: xorshift (Marsaglia, Journal of Statistical Software 8, 2003). Threads
// that preempt each other here may draw the same number.
uint32_t tangle_random(uint32_t bound) {
    uint32_t state = ledger.random;
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    ledger.random = state;
    return (state >> 8) % bound;
}

// Returns a random timeout. BULKHEAD_FOREVER is rare, because threads that wait for each other in a
// circle without timeouts stop until the warden terminates a process.
static uint32_t any_timeout(void) {
    return tangle_random(32) == 0 ? BULKHEAD_FOREVER : tangle_random(4);
}

static uint32_t any_thread(const struct tangle_process *process) {
    return process->threads[tangle_random(3)];
}

static void act(const struct tangle_process *process, uint32_t depth);

static void lock(const struct tangle_process *process, uint32_t depth) {
    static const uint32_t mutexes[] = {MUTEX_A, MUTEX_B, MUTEX_C};
    const uint32_t mutex = mutexes[tangle_random(3)];
    const enum bulkhead_result result = bulkhead_mutex_lock(mutex, any_timeout());
    if (result != BULKHEAD_OK && result != BULKHEAD_PEER_LOST) {
        return;
    }
    act(process, depth + 1);
    if (tangle_random(16) != 0) {
        bulkhead_mutex_unlock(mutex);
    }
}

static void call(const struct tangle_process *process) {
    uint32_t words[4] = {0};
    bulkhead_gate_call(tangle_random(8) == 0 ? process->own_gate : process->other_gate, words,
                       any_timeout());
}

static void control(uint32_t thread) {
    switch (tangle_random(6)) {
    case 0:
        bulkhead_suspend(thread);
        break;
    case 1:
        bulkhead_set_priority(thread, 10 + tangle_random(12));
        break;
    case 2:
        bulkhead_start_thread(thread);
        break;
    case 3:
        bulkhead_join(thread, 1);
        break;
    default:
        bulkhead_resume(thread);
    }
}

static void exchange(void) {
    uint32_t message[2] = {0};
    switch (tangle_random(4)) {
    case 0:
        bulkhead_queue_send(QUEUE_WORDS, message, any_timeout());
        break;
    case 1:
        bulkhead_queue_receive(QUEUE_WORDS, message, any_timeout());
        break;
    case 2:
        bulkhead_semaphore_take(SEMAPHORE_COUNT, any_timeout());
        break;
    default:
        bulkhead_semaphore_give(SEMAPHORE_COUNT);
    }
}

static void raise_flags(void) {
    uint32_t wanted = 1 + tangle_random(7);
    if (tangle_random(2) == 0) {
        bulkhead_flags_set(FLAGS_ALL, wanted);
    } else {
        bulkhead_flags_take_any(FLAGS_ALL, &wanted, any_timeout());
    }
}

static void act(const struct tangle_process *process, uint32_t depth) {
    ledger.actions++;
    ledger.deepest = depth > ledger.deepest ? depth : ledger.deepest;
    switch (tangle_random(KINDS)) {
    case 0:
    case 1:
    case 2:
    case 3:
    case 4:
    case 5:
        if (depth < DEPTH) {
            lock(process, depth);
            act(process, depth + 1);
        }
        break;
    case 6:
    case 7:
    case 8:
        call(process);
        break;
    case 9:
    case 10:
        control(any_thread(process));
        break;
    case 11:
    case 12:
        exchange();
        break;
    case 13:
        raise_flags();
        break;
    case 14:
        bulkhead_delay(1);
        break;
    case 15:
        if (tangle_random(64) == 0) {
            ledger.faults++;
            __builtin_trap();
        }
        break;
    case 16:
        if (tangle_random(64) == 0) {
            bulkhead_exit();
        }
        break;
    default:
        bulkhead_yield();
    }
}

void tangle_act(const struct tangle_process *process) {
    act(process, 0);
}

_Noreturn void tangle_serve(const struct tangle_process *process) {
    uint32_t words[4] = {0}, caller;
    for (;;) {
        bulkhead_gate_receive(process->own_gate, words, &caller, any_timeout());
        act(process, 1);
    }
}
