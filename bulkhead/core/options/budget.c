// SPDX-License-Identifier: MIT
//
// Budgets of processor time: a process with a budget runs for at most a declared number of ticks in
// each period. Only a system that declares a budget has this file.
//
// The time between two switches of processes is charged to the process that ran, in counts of the
// clock: the calls that it made and the interrupts that came meanwhile are included. The time in
// which the idle thread terminates and restarts a process is charged to that process, because a
// process could otherwise fault again and again at the cost of others.
//
// Each tick looks for a budget that is spent, so a process overruns its budget by at most one tick.
// The overrun is subtracted from the next period. The running thread is stopped at once. The idle
// thread stops the other threads of the process one by one (deferred.h), at the highest declared
// priority of the process. A thread of a higher priority, by a call, a mutex or set_priority, is
// stopped at the first tick that finds it running. A stopped thread is like a suspended one: it
// keeps the mutexes that it holds, and what it waits for is given to it.
#include "budget.h"
#include "objects.h"

static struct {
    const struct process *payer; // the process to which the time since the last charge belongs
    uint32_t since;
} account;

// --- Charging a process with time ----------------------------------------------------------------

static void charge(void) {
    const uint32_t now = arch_clock();
    struct budget *budget = kernel_budget_of(account.payer);
    if (budget != NULL) {
        budget->counts_left -= now - account.since;
    }
    account.since = now;
}

static const struct process *payer_of(const struct process *process) {
    const struct thread *ending = kernel.ending.first;
    const bool is_idle = process == kernel_idle_declaration.process;
    return is_idle && ending != NULL ? ending->process : process;
}

void budget_enter(const struct process *process) {
    charge();
    account.payer = payer_of(process);
}

// --- Stopping and releasing threads --------------------------------------------------------------

// Stops a thread. A thread that is not started or is ending is stopped later, when it is launched:
// budget_launch_state.
static void stop(struct thread *thread) {
    if (thread->state & (THREAD_DORMANT | THREAD_SPENT)) {
        return;
    }
    const bool was_ready = thread->state == 0;
    thread->state |= THREAD_SPENT;
    if (was_ready) {
        ready_remove(&kernel.ready, thread);
        queue_cancel_wait(thread->retries);
    }
}

static void release(struct thread *thread) {
    if (!(thread->state & THREAD_SPENT)) {
        return;
    }
    thread->state &= ~THREAD_SPENT;
    if (thread->state == 0) {
        ignore_next(thread_make_ready(thread));
    }
}

static struct budget *budget_in_work(void) {
    struct budget *found = NULL;
    for (struct budget *each = kernel_budgets; each != kernel_budgets + kernel_budget_count;
         each++) {
        const bool is_higher = found == NULL || each->process->highest_priority_mask >
                                                    found->process->highest_priority_mask;
        if (each->next != NULL && is_higher) {
            found = each;
        }
    }
    return found;
}

static uint32_t urgency(const struct deferred *work) {
    const struct budget *budget = budget_in_work();
    (void)work;
    return budget == NULL ? 0 : budget->process->highest_priority_mask;
}

static void proceed(struct deferred *work) {
    struct budget *budget = budget_in_work();
    if (budget == NULL) {
        deferred_remove(work);
        return;
    }
    struct thread *thread = budget->next;
    budget->next = thread->declared->next;
    if (budget->is_spent) {
        stop(thread);
    } else {
        release(thread);
    }
}

static const struct deferred_kind deferred_budgets = {urgency, proceed, NULL};
static struct deferred changes;

// Stops all threads of a process, or releases them.
static void change(struct budget *budget, bool is_spent) {
    budget->is_spent = is_spent;
    budget->next = budget->process->first;
    deferred_add(&changes, &deferred_budgets);
    kernel_request_switch();
}

uint32_t budget_launch_state(const struct process *process, uint32_t state) {
    const struct budget *budget = kernel_budget_of(process);
    const bool is_stopped = budget != NULL && budget->is_spent && !(state & THREAD_DORMANT);
    return is_stopped ? state | THREAD_SPENT : state;
}

// --- The tick ------------------------------------------------------------------------------------

// Begins a period. Processor time that the process consumed beyond its budget is subtracted from
// the new period; unused time is lost.
static void replenish(struct budget *budget) {
    const int64_t whole = (int64_t)budget->ticks * arch_clock_tick();
    budget->ticks_left = budget->period_ticks;
    budget->counts_left += whole;
    if (budget->counts_left > whole) {
        budget->counts_left = whole;
    }
    if (budget->is_spent && budget->counts_left > 0) {
        change(budget, false);
    }
}

// Counts a tick of the period. The very first tick begins the first period.
static void tick(struct budget *budget) {
    if (budget->ticks_left == 0 || --budget->ticks_left == 0) {
        replenish(budget);
    }
    if (!budget->is_spent && budget->counts_left <= 0) {
        change(budget, true);
    }
}

static void stop_running(void) {
    struct thread *running = kernel.current;
    const struct budget *budget = kernel_budget_of(running->process);
    if (budget != NULL && budget->is_spent) {
        stop(running);
        kernel_request_switch();
    }
}

// Handles a tick. Between the end of a thread and the next switch no thread is current; the time is
// then still charged to the same process.
void budget_tick(void) {
    charge();
    if (kernel.current->process != NULL) {
        account.payer = payer_of(kernel.current->process);
    }
    for (struct budget *each = kernel_budgets; each != kernel_budgets + kernel_budget_count;
         each++) {
        tick(each);
    }
    stop_running();
}
