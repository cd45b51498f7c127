// SPDX-License-Identifier: MIT
//
// Budgets of processor time: budget.c.
#ifndef KERNEL_BUDGET_H
#define KERNEL_BUDGET_H

#include "kernel.h"

struct budget {
    const struct process *process;
    uint32_t ticks, period_ticks; // declared budget and period
    uint32_t ticks_left;          // ticks until the end of the period
    int64_t counts_left; // counts left of the budget; negative: already consumed of the next period
    bool is_spent;       // the threads of the process are stopped, or are being stopped
    struct thread *next; // the next thread to stop or to release; NULL if none is left
};

// Generated from the declaration.
extern struct budget kernel_budgets[];
extern const uint32_t kernel_budget_count;

// Returns the budget of a process, or NULL if it has none or is NULL.
struct budget *kernel_budget_of(const struct process *process);

// Charges the time since the last charge, at the switch to a thread of `process`.
void budget_enter(const struct process *process);

// Handles a tick for the budgets. The tick's handler calls it after kernel_tick.
void budget_tick(void);

// --- The architecture's part: arch/*/options/clock.c ---------------------------------------------

// Returns a time that wraps, in counts. The tick's handler calls kernel_tick before it calls this.
uint32_t arch_clock(void);

// Returns the number of counts of a tick.
uint32_t arch_clock_tick(void);

#endif
