// SPDX-License-Identifier: MIT
//
// A node that sends its calls to the master. It keeps only the registers of its threads.
#include "central.h"
#include "words.h"

#define FROM_MASTER (1u << MASTER)

static uint32_t sequence;

// Sends a request. Returns the sequence number of the request.
static uint32_t ask(uint32_t call, uint32_t argument, const struct thread *self) {
    const uint32_t asked = (sequence + 1) & SEQUENCE_MASK;
    RING_WORD(MASTER) = REQUEST(asked, call, (uint32_t)self->index, argument);
    sequence = asked;
    return asked;
}

// Polls for the answer to the request `asked`. Skips words that are older than the request. Loading
// the doorbell without a new word is harmless: the sequence number shows that it is no answer.
static uint32_t wait_for(uint32_t asked) {
    uint32_t decision;
    do {
        decision = WORD_FROM(MASTER);
    } while (DECISION_SEQUENCE(decision) != asked);
    return decision;
}

// Returns the thread that the master's word `decision` names. If the word names none, waits for the
// next word, and meanwhile asks the master to give the semaphores of devices.
static struct thread *adopt(uint32_t decision) {
    while (decision & DECISION_NONE) {
        machine_wait();
        if (PENDING & FROM_MASTER) {
            decision = WORD_FROM(MASTER);
        } else if (device_is_pending()) {
            decision = wait_for(ask(NODES_CALL_GIVE, device_quiet(), thread_last()));
        }
    }
    return &threads[DECISION_THREAD(decision)];
}

static struct thread *answer(uint32_t asked, struct thread *self) {
    const uint32_t decision = wait_for(asked);
    self->a[0] = DECISION_RESULT(decision);
    return adopt(decision);
}

static struct thread *slave_call(uint32_t argument, struct thread *self, uint32_t call) {
    if (argument > REQUEST_ARGUMENT_MAX) {
        return finish(self, NODES_ARGUMENT);
    }
    return answer(ask(call, argument, self), self);
}

static struct thread *slave_exit(uint32_t argument, struct thread *self, uint32_t call) {
    const uint32_t asked = ask(call, argument & REQUEST_ARGUMENT_MAX, self);
    thread_prepare(self);
    return answer(asked, self);
}

struct thread *slave_decided(struct thread *running) {
    return PENDING & FROM_MASTER ? adopt(WORD_FROM(MASTER)) : running;
}

void slave_boot(void) {
    for (uint32_t call = NODES_CALL_YIELD; call <= NODES_CALL_INIT; call++) {
        calls[call] = slave_call;
    }
    calls[NODES_CALL_EXIT] = slave_exit;
    machine_enable(INTERRUPT_SOFTWARE);
}

struct thread *slave_start(struct thread *first) {
    if (!first) {
        return adopt(DECISION_NONE);
    }
    return answer(ask(NODES_CALL_CREATE, first->index, first), first);
}
