// SPDX-License-Identifier: MIT
//
// Ferry's threads and objects. They access shared data only while interrupts are disabled. A thread
// that blocks calls ferry_switch (switch.S), which saves the registers that a function must keep
// and continues another thread: an ordinary function call for both.
#include "ferry.h"

#include <stddef.h>

#define ICSR (*(volatile uint32_t *)0xE000ED04u)
#define ICSR_PENDSVSET (1u << 28)
#define PENDSV_PRIORITY (*(volatile uint8_t *)0xE000ED22u)

// The words that ferry_switch saves: r4 to r11, and the address at which the thread continues.
enum { FRAME_WORDS = 9, FRAME_ENTRY = 0, FRAME_CONTINUE = 8 };

// switch.S
void ferry_switch(struct ferry_thread *from, struct ferry_thread *to);
void ferry_begin(void *interrupt_stack_end);
void ferry_first(void);

static struct ferry_thread idle = {.priority = FERRY_PRIORITIES - 1};
struct ferry_thread *ferry_current = &idle;
static struct ferry_line ready[FERRY_PRIORITIES];
static uint32_t ready_priorities; // bit 31 is priority 0, the highest
static struct ferry_line sleepers;
static volatile uint32_t ticks;
static bool started;

static uint32_t interrupts_off(void) {
    uint32_t before;
    __asm__ volatile("mrs %0, primask\n\tcpsid i" : "=r"(before)::"memory");
    return before;
}

static void interrupts_as(uint32_t before) {
    __asm__ volatile("msr primask, %0" ::"r"(before) : "memory");
}

// --- Lines of threads ----------------------------------------------------------------------------

// Inserts before the first thread that `later` holds for; none: at the end.
static void insert(struct ferry_line *line, struct ferry_thread *thread,
                   bool (*later)(const struct ferry_thread *, const struct ferry_thread *)) {
    struct ferry_thread **place = &line->first;
    while (*place && !later(*place, thread)) {
        place = &(*place)->next;
    }
    thread->next = *place;
    *place = thread;
    line->last = thread->next ? line->last : thread;
}

static void append(struct ferry_line *line, struct ferry_thread *thread) {
    thread->next = NULL;
    if (line->first) {
        line->last->next = thread;
    } else {
        line->first = thread;
    }
    line->last = thread;
}

static struct ferry_thread *take_first(struct ferry_line *line) {
    struct ferry_thread *const first = line->first;
    line->first = first ? first->next : NULL;
    return first;
}

static bool wakes_later(const struct ferry_thread *one, const struct ferry_thread *other) {
    return (int32_t)(one->wake_tick - other->wake_tick) > 0;
}

static bool is_lower(const struct ferry_thread *one, const struct ferry_thread *other) {
    return one->priority > other->priority;
}

static void append_waiter(struct ferry_line *line, struct ferry_thread *thread) {
    if (FERRY_WAITERS_BY_PRIORITY) {
        insert(line, thread, is_lower);
    } else {
        append(line, thread);
    }
}

// --- Scheduling ----------------------------------------------------------------------------------

static void make_ready(struct ferry_thread *thread) {
    append(&ready[thread->priority], thread);
    ready_priorities |= 1u << (31 - thread->priority);
}

// Switches to the first ready thread of the highest priority. The caller has put the running thread
// into a line, and interrupts are disabled.
static void switch_away(void) {
    struct ferry_thread *const from = ferry_current;
    const uint32_t priority = (uint32_t)__builtin_clz(ready_priorities);
    ferry_current = take_first(&ready[priority]);
    if (!ready[priority].first) {
        ready_priorities &= ~(1u << (31 - priority));
    }
    if (ferry_current != from) {
        ferry_switch(from, ferry_current);
    }
}

static bool is_outranked(void) {
    return ready_priorities >> (31 - ferry_current->priority) > 1u;
}

// Lets a higher thread run. The running thread stays the first of its priority.
static void let_higher_run(void) {
    if (!started || !is_outranked()) {
        return;
    }
    struct ferry_line *const line = &ready[ferry_current->priority];
    ferry_current->next = line->first;
    line->last = line->first ? line->last : ferry_current;
    line->first = ferry_current;
    ready_priorities |= 1u << (31 - ferry_current->priority);
    switch_away();
}

// switch.S calls it in the interrupted thread, after all handlers are done.
void ferry_preempted(void);
void ferry_preempted(void) {
    let_higher_run();
}

static void block(struct ferry_line *line) {
    append_waiter(line, ferry_current);
    switch_away();
}

static void request_preemption(void) {
    if (is_outranked()) {
        ICSR = ICSR_PENDSVSET;
    }
}

// --- Threads -------------------------------------------------------------------------------------

void ferry_create(struct ferry_thread *thread, uint32_t priority, void (*entry)(void),
                  void *stack_end, bool suspended) {
    void **const frame = (void **)((uintptr_t)stack_end & ~(uintptr_t)7) - FRAME_WORDS;
    frame[FRAME_ENTRY] = (void *)(uintptr_t)entry;
    frame[FRAME_CONTINUE] = (void *)(uintptr_t)ferry_first;
    *thread = (struct ferry_thread){.sp = frame, .priority = priority, .suspended = suspended};
    const uint32_t before = interrupts_off();
    if (!suspended) {
        make_ready(thread);
        let_higher_run();
    }
    interrupts_as(before);
}

void ferry_start(void) {
    static uint64_t interrupt_stack[128];
    PENDSV_PRIORITY = 0xFF;
    interrupts_off();
    ferry_begin(interrupt_stack + 128);
    started = true;
    let_higher_run();
    interrupts_as(0);
}

void ferry_tick(void) {
    const uint32_t before = interrupts_off();
    ticks++;
    while (sleepers.first && sleepers.first->wake_tick == ticks) {
        make_ready(take_first(&sleepers));
    }
    request_preemption();
    interrupts_as(before);
}

uint32_t ferry_ticks(void) {
    return ticks;
}

void ferry_yield(void) {
    const uint32_t before = interrupts_off();
    make_ready(ferry_current);
    switch_away();
    interrupts_as(before);
}

void ferry_sleep_until(uint32_t tick) {
    const uint32_t before = interrupts_off();
    if ((int32_t)(tick - ticks) > 0) {
        ferry_current->wake_tick = tick;
        insert(&sleepers, ferry_current, wakes_later);
        switch_away();
    }
    interrupts_as(before);
}

void ferry_suspend_self(void) {
    const uint32_t before = interrupts_off();
    ferry_current->suspended = true;
    switch_away();
    interrupts_as(before);
}

static void resume(struct ferry_thread *thread) {
    if (thread->suspended) {
        thread->suspended = false;
        make_ready(thread);
    }
}

void ferry_resume(struct ferry_thread *thread) {
    const uint32_t before = interrupts_off();
    resume(thread);
    let_higher_run();
    interrupts_as(before);
}

void ferry_resume_from_interrupt(struct ferry_thread *thread) {
    const uint32_t before = interrupts_off();
    resume(thread);
    request_preemption();
    interrupts_as(before);
}

// --- Semaphores ----------------------------------------------------------------------------------

void ferry_take(struct ferry_semaphore *semaphore) {
    const uint32_t before = interrupts_off();
    if (semaphore->count > 0) {
        semaphore->count--;
    } else {
        block(&semaphore->waiters); // the giver hands its count over
    }
    interrupts_as(before);
}

bool ferry_try_take(struct ferry_semaphore *semaphore) {
    const uint32_t before = interrupts_off();
    const bool taken = semaphore->count > 0;
    semaphore->count -= taken;
    interrupts_as(before);
    return taken;
}

static void give(struct ferry_semaphore *semaphore) {
    struct ferry_thread *const waiter = take_first(&semaphore->waiters);
    if (waiter) {
        make_ready(waiter);
    } else {
        semaphore->count++;
    }
}

void ferry_give(struct ferry_semaphore *semaphore) {
    const uint32_t before = interrupts_off();
    give(semaphore);
    let_higher_run();
    interrupts_as(before);
}

void ferry_give_from_interrupt(struct ferry_semaphore *semaphore) {
    const uint32_t before = interrupts_off();
    give(semaphore);
    request_preemption();
    interrupts_as(before);
}

// --- Mutexes -------------------------------------------------------------------------------------

void ferry_lock(struct ferry_mutex *mutex) {
    const uint32_t before = interrupts_off();
    if (!mutex->owner) {
        mutex->owner = ferry_current;
    } else {
        block(&mutex->waiters); // the owner makes this thread the owner
    }
    interrupts_as(before);
}

bool ferry_try_lock(struct ferry_mutex *mutex) {
    const uint32_t before = interrupts_off();
    const bool is_free = !mutex->owner;
    mutex->owner = is_free ? ferry_current : mutex->owner;
    interrupts_as(before);
    return is_free;
}

bool ferry_unlock(struct ferry_mutex *mutex) {
    const uint32_t before = interrupts_off();
    const bool owned = mutex->owner == ferry_current;
    if (owned) {
        mutex->owner = take_first(&mutex->waiters);
        if (mutex->owner) {
            make_ready(mutex->owner);
            let_higher_run();
        }
    }
    interrupts_as(before);
    return owned;
}

// --- Mailboxes -----------------------------------------------------------------------------------

bool ferry_post(struct ferry_mailbox *box, uint32_t message) {
    const uint32_t before = interrupts_off();
    struct ferry_thread *const waiter = take_first(&box->waiters);
    const bool posted = waiter || box->count < box->capacity;
    if (waiter) {
        waiter->message = message;
        make_ready(waiter);
        let_higher_run();
    } else if (posted) {
        const uint32_t place = box->first + box->count++;
        box->words[place < box->capacity ? place : place - box->capacity] = message;
    }
    interrupts_as(before);
    return posted;
}

static uint32_t take_message(struct ferry_mailbox *box) {
    const uint32_t message = box->words[box->first];
    box->first = box->first + 1 < box->capacity ? box->first + 1 : 0;
    box->count--;
    return message;
}

uint32_t ferry_fetch(struct ferry_mailbox *box) {
    const uint32_t before = interrupts_off();
    if (box->count > 0) {
        ferry_current->message = take_message(box);
    } else {
        block(&box->waiters); // the sender hands its message over
    }
    const uint32_t message = ferry_current->message;
    interrupts_as(before);
    return message;
}

bool ferry_try_fetch(struct ferry_mailbox *box, uint32_t *message) {
    const uint32_t before = interrupts_off();
    const bool fetched = box->count > 0;
    if (fetched) {
        *message = take_message(box);
    }
    interrupts_as(before);
    return fetched;
}
