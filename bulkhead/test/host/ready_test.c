// SPDX-License-Identifier: MIT
//
// Tests the ready queue (core/ready.h) against a model. In the model, each ready thread has a
// number in an array; of the ready threads of the highest level, the thread with the lowest number
// runs first.
#include "random.h"
#include <ready.h>
#include <assert.h>
#include <stdio.h>

enum { THREADS = 40, STEPS = 1000000 };

static struct ready ready;
static struct thread threads[THREADS], idle;
static uint32_t turns[THREADS]; // number of each ready thread; 0: not ready
// The numbers of the next thread at the end, and of the latest thread at the front.
static uint32_t next_turn = 1u << 30, first_turn = 1u << 30;

// Returns the thread that runs first in the model: of the highest level that has a ready thread,
// the thread with the lowest number; the idle thread if no thread is ready.
static struct thread *model_highest(void) {
    struct thread *highest = &idle;
    for (int i = 0; i < THREADS; i++) {
        const struct thread *other = highest;
        if (turns[i] == 0) {
            continue;
        }
        if (other == &idle || threads[i].priority_mask > other->priority_mask ||
            (threads[i].priority_mask == other->priority_mask &&
             turns[i] < turns[other - threads])) {
            highest = &threads[i];
        }
    }
    return highest;
}

static void start(void) {
    ready.heads[PRIORITIES] = &idle;
    for (int i = 0; i < THREADS; i++) {
        const uint32_t priority = random_below(PRIORITIES);
        threads[i].next = threads[i].previous = &threads[i];
        threads[i].priority_mask = priority_mask_of(priority);
        threads[i].level = &ready.heads[priority];
    }
}

static void add(int i) {
    struct thread *before = model_highest();
    const bool above = before == &idle || threads[i].priority_mask > before->priority_mask;
    turns[i] = next_turn++;
    assert(ready_add(&ready, &threads[i]) == above);
}

static void add_first(int i) {
    turns[i] = --first_turn;
    ready_add_first(&ready, &threads[i]);
}

static void remove_one(int i) {
    turns[i] = 0;
    if (ready_highest(&ready) == &threads[i]) {
        assert(ready_remove_head(&ready, &threads[i]) == model_highest());
    } else {
        ready_remove(&ready, &threads[i]);
    }
    assert(threads[i].next == &threads[i] && threads[i].previous == &threads[i]);
}

// Moves the head after the other threads of its priority, as self_yield does.
static void rotate(void) {
    struct thread *head = ready_highest(&ready);
    if (head != &idle) {
        *head->level = head->next;
        turns[head - threads] = next_turn++;
    }
}

int main(void) {
    start();
    for (int step = 0; step < STEPS; step++) {
        const int i = (int)random_below(THREADS);
        if (random_below(8) == 0) {
            rotate();
        } else if (turns[i] == 0 && random_below(4) == 0) {
            add_first(i);
        } else if (turns[i] == 0) {
            add(i);
        } else {
            remove_one(i);
        }
        assert(ready_highest(&ready) == model_highest());
        assert(ready_has_above(&ready, threads[i].priority_mask) ==
               (model_highest()->priority_mask > threads[i].priority_mask));
    }
    printf("ready: %d steps\n", STEPS);
    return 0;
}
