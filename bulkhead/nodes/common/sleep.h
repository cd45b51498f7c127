// SPDX-License-Identifier: MIT
//
// Sleeping threads, on Bulkhead's timers, and the one-shot timer of the node. There is no periodic
// tick: the timer goes off when the next thread is due.
#ifndef NODES_SLEEP_H
#define NODES_SLEEP_H

#include "machine.h"
#include "thread.h"

void sleep_boot(uint32_t tick_cycles);

// NODES_ARGUMENT if `ticks` is not 1 … 65535: as many as the RTU can.
enum nodes_result sleep_begin(struct thread *thread, uint32_t ticks);

// A thread that is due, and sleeps no more; NULL if there is none. Call until there is none.
struct thread *sleep_next_due(void);

// Cycles until the next thread is due, `most` at most.
uint32_t sleep_remaining(uint32_t most);

// Sets the timer, so many cycles from now.
void timer_set(uint32_t cycles);

void timer_stop(void);

// Lets the timer go off when the next thread is due.
void sleep_set_timer(void);

#endif
