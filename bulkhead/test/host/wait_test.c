// SPDX-License-Identifier: MIT
//
// Tests the list of waiters against a model: after any sequence of threads that enter and leave,
// the first waiter is the one that came first with the highest priority. A thread that leaves may
// enter any other list.
#include "random.h"
#include "wait.h"
#include <assert.h>
#include <stdio.h>

enum { THREADS = 20, LEVELS = 6, STEPS = 300000, EMPTY_EVERY = 1000 };

static struct wait_list list;
static struct thread threads[THREADS];
static uint32_t orders[THREADS]; // 0: the thread does not wait
static uint32_t next_order = 1;

static bool model_before(const struct thread *one, const struct thread *other) {
    return one->priority_mask > other->priority_mask ||
           (one->priority_mask == other->priority_mask &&
            orders[one - threads] < orders[other - threads]);
}

static struct thread *model_first(void) {
    struct thread *first = NULL;
    for (int i = 0; i < THREADS; i++) {
        if (orders[i] != 0 && (first == NULL || model_before(&threads[i], first))) {
            first = &threads[i];
        }
    }
    return first;
}

static void enter(struct thread *thread) {
    thread->priority_mask = priority_mask_of(random_below(LEVELS));
    wait_enter(&list, thread);
    orders[thread - threads] = next_order++;
}

static void leave(struct thread *thread) {
    wait_leave(thread);
    orders[thread - threads] = 0;
    assert(thread->next == thread && thread->previous == thread);
}

static void look(void) {
    assert(list.first == model_first());
    for (int i = 0; i < THREADS; i++) {
        assert((threads[i].waits_in == &list) == (orders[i] != 0));
    }
}

static void take_all(void) {
    while (list.first != NULL) {
        leave(list.first);
        look();
    }
}

int main(void) {
    for (int i = 0; i < THREADS; i++) {
        threads[i].next = threads[i].previous = &threads[i];
    }
    for (int step = 0; step < STEPS; step++) {
        struct thread *thread = &threads[random_below(THREADS)];
        if (orders[thread - threads] == 0) {
            enter(thread);
        } else {
            leave(thread);
        }
        look();
        if (step % EMPTY_EVERY == 0) {
            take_all();
        }
    }
    printf("wait: %d steps\n", STEPS);
    return 0;
}
