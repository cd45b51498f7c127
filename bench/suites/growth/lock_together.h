// SPDX-License-Identifier: MIT
//
// The working nodes compete for one lock, which protects words of the shared memory. The span runs
// from before the take to the return of the give: the cost of one short critical section while all
// nodes want the lock. The including file defines the lock: `take` and `give`.
//
// The holder writes its number, changes a counter and reads its number again. If a second node is
// in the critical section at the same time, one of the two nodes reads a wrong number.
#ifndef LOCK_TOGETHER_H
#define LOCK_TOGETHER_H

#include "growth.h"

enum { NOBODY = 0 };

static inline enum bench_status take(void);
static inline enum bench_status give(void);

static void compete(void) {
    const uint32_t self = bench_node_self() + 1;
    volatile uint32_t *holder = start_words() + PARAM_NODES, *sections = holder + 1;
    uint32_t last = 0;
    start_together();
    for (;;) {
        BENCH_MARK("take.before");
        const enum bench_status taken = take();
        const uint32_t before = *holder;
        *holder = self;
        const uint32_t section = *sections + 1;
        *sections = section;
        const uint32_t after = *holder;
        *holder = NOBODY;
        const enum bench_status given = give();
        BENCH_MARK("give.after");
        REQUIRE_OK(taken, "take failed");
        REQUIRE_OK(given, "give failed");
        BENCH_REQUIRE(before == NOBODY && after == self, "two nodes are in the section");
        BENCH_REQUIRE(section > last, "a section is not counted");
        last = section;
    }
}

#define ON(node) TASK_ON(node, compete, LOW_PRIORITY)

static const struct bench_task_declaration tasks[] = {STARTER, ON_EACH_WORKING_NODE(ON)};

#endif
