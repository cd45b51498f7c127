// SPDX-License-Identifier: MIT
//
// Sleeping threads, on Bulkhead's timers, and the one-shot timer of the node. There is no periodic
// tick: the timer goes off when the next thread is due.
#ifndef NODES_SLEEP_H
#define NODES_SLEEP_H

#include "machine.h"
#include "thread.h"

void sleep_boot(uint32_t tick_cycles);

// Lets a thread sleep. NODES_ARGUMENT if `ticks` is not in 1 … 65535, the RTU's range.
enum nodes_result sleep_begin(struct thread *thread, uint32_t ticks);

// Removes a thread that is due from the sleeping threads and returns it; NULL if there is none. To
// wake all threads that are due, call it until it returns NULL.
struct thread *sleep_next_due(void);

// Returns the cycles until the next thread is due, at most `most`.
uint32_t sleep_remaining(uint32_t most);

// Sets the timer to go off after this number of cycles.
void timer_set(uint32_t cycles);

void timer_stop(void);

// Sets the timer to go off when the next thread is due.
void sleep_set_timer(void);

#endif
