// SPDX-License-Identifier: MIT
//
// See world.h. Each thread is a coroutine that stops before each access; the explorer's step lets
// it go on to the next.
#include "world.h"
#include "explore.h"
#include "methods.h"
#include <bulkhead/start.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

// Steps: the thread that runs goes on; an interrupt starts thread 0, 1, 2; or does something else.
enum { RUN, START, TICK = START + WORLD_THREADS, GIVE, SLICE, STEPS };
enum { SEMAPHORE = 1, MUTEX, QUEUE }; // handles
enum { STACK_WORDS = 192, KEPT_BYTES = 128 };

static const struct scenario *scenario;
static ucontext_t coroutines[WORLD_THREADS];
static ucontext_t *explorer; // on the heap: no part of the world
static uint64_t stacks[WORLD_THREADS][STACK_WORDS];
static jmp_buf *started;

static bool begun[WORLD_THREADS], rewound[WORLD_THREADS], monitored;
static uint32_t ticks_left, gives_left;
static const char *failure;

// --- The declaration -----------------------------------------------------------------------------

struct bulkhead_semaphore world_semaphores[1];
struct bulkhead_mutex world_mutexes[1];
static uint32_t buffer[8];
struct bulkhead_queue world_queues[1];
// What threads read as bulkhead_page.
struct bulkhead_page world_page __asm__("bulkhead_page");

static struct semaphore semaphore = {.count = &world_semaphores[0].count};
struct mutex kernel_mutexes[1] = {{.word = &world_mutexes[0].word}};
const uint32_t kernel_mutex_count = 1;
static struct local_queue local_queue = {.queue = &world_queues[0], .handle = QUEUE};

static struct bulkhead_fault report;
static const struct process process = {.report = &report};
const struct process *const kernel_processes[] = {&process};
const uint32_t kernel_process_count = 1;
const uint32_t kernel_rights_mask = 0;
struct timer *kernel_timer_heap[WORLD_THREADS + 1];

struct thread kernel_threads[WORLD_THREADS];
const struct thread_declaration kernel_thread_declarations[] = {
    {.process = &process, .initially = THREAD_SUSPENDED},
    {.process = &process, .initially = THREAD_SUSPENDED},
    {.process = &process, .initially = THREAD_SUSPENDED},
};
const uint32_t kernel_thread_count = WORLD_THREADS;
const struct thread_declaration kernel_idle_declaration = {.process = &process};

// --- The processor -------------------------------------------------------------------------------

struct arch_frame *arch_caller_frame(void) {
    return &kernel.current->context.frame;
}

// Every interrupt here ends with the question who is the highest.
void arch_switch_request(void) {
}

void arch_context_reset(struct arch_context *context, void (*entry)(void), uint32_t stack_top,
                        struct arch_region stack) {
    (void)entry, (void)stack_top, (void)stack;
    *context = (struct arch_context){0};
}

// The kernel has started; the world goes on from here.
_Noreturn void arch_start(void) {
    longjmp(*started, 1);
}

static uint32_t self(void) {
    return (uint32_t)(kernel.current - kernel_threads);
}

static void run(struct thread *thread) {
    kernel.current = thread;
    kernel.process = thread->process;
    world_page.self = (uint32_t)(uintptr_t)thread;
}

// What follows an interrupt: the highest thread runs. Another one was stopped anywhere.
static void end_interrupt(void) {
    struct thread *highest = ready_highest(&kernel.ready);
    monitored = false; // an exception clears the exclusive monitor (DDI 0403E, A3.4.4)
    world_page.ticks = kernel.ticks;
    if (highest != kernel.current) {
        if (kernel.current != &kernel_idle) {
            rewound[self()] = true;
        }
        run(highest);
    }
}

// --- Threads -------------------------------------------------------------------------------------

// Back to the explorer. What lies below on the stack is dead, and no part of the state.
static __attribute__((noinline)) void stop(uint32_t thread) {
    char *bottom = (char *)stacks[thread];
    char *top = (char *)__builtin_frame_address(0) - KEPT_BYTES;
    memset(bottom, 0, (size_t)(top - bottom));
    swapcontext(&coroutines[thread], explorer);
}

bool world_sequence_point(void) {
    const uint32_t thread = self();
    rewound[thread] = false;
    stop(thread);
    return rewound[thread];
}

static void point(void) {
    stop(self());
}

uint32_t bulkhead_load_exclusive(volatile uint32_t *word) {
    point();
    monitored = true;
    return *word;
}

uint32_t bulkhead_store_exclusive(volatile uint32_t *word, uint32_t value) {
    point();
    if (!monitored) {
        return 1;
    }
    monitored = false;
    *word = value;
    return 0;
}

static decision dispatch(struct arch_frame *frame, uint32_t handle, uint32_t method) {
    switch (handle * BULKHEAD_METHODS + method) {
    case SEMAPHORE *BULKHEAD_METHODS + BULKHEAD_SEMAPHORE_TAKE:
        return semaphore_take(&semaphore, frame);
    case SEMAPHORE *BULKHEAD_METHODS + BULKHEAD_SEMAPHORE_GIVE:
        return semaphore_give(&semaphore);
    case MUTEX *BULKHEAD_METHODS + BULKHEAD_MUTEX_LOCK:
        return mutex_lock(&kernel_mutexes[0], frame);
    case MUTEX *BULKHEAD_METHODS + BULKHEAD_MUTEX_UNLOCK:
        return mutex_unlock(&kernel_mutexes[0]);
    case QUEUE *BULKHEAD_METHODS + BULKHEAD_LOCAL_QUEUE_AWAIT:
        return local_queue_await(&local_queue, frame);
    case QUEUE *BULKHEAD_METHODS + BULKHEAD_LOCAL_QUEUE_WAKE:
        return local_queue_wake(&local_queue);
    case BULKHEAD_SELF *BULKHEAD_METHODS + BULKHEAD_SELF_EXIT:
        return self_exit();
    default:
        abort();
    }
}

enum bulkhead_result world_call(uint32_t handle, uint32_t method, uint32_t *value,
                                uint32_t second) {
    const uint32_t thread = self();
    struct arch_frame *frame = &kernel_threads[thread].context.frame;
    point();
    *frame = (struct arch_frame){BULKHEAD_OK, value == NULL ? 0 : *value, second};
    const decision next = dispatch(frame, handle, method);
    monitored = false;
    if (next != GO_ON) {
        run(next);
    }
    if (next != GO_ON && next != &kernel_threads[thread]) {
        stop(thread);
    }
    return (enum bulkhead_result)frame->result;
}

static void thread_main(void) {
    scenario->programs[self()]();
    bulkhead_exit();
}

static void make_coroutine(uint32_t thread) {
    getcontext(&coroutines[thread]);
    coroutines[thread].uc_stack.ss_sp = stacks[thread];
    coroutines[thread].uc_stack.ss_size = sizeof stacks[thread];
    makecontext(&coroutines[thread], thread_main, 0);
}

// --- For scenarios -------------------------------------------------------------------------------

void world_require(bool condition, const char *line) {
    if (!condition) {
        failure = line;
    }
}

bool world_all_ended(void) {
    for (uint32_t i = 0; i < WORLD_THREADS; i++) {
        if (kernel_threads[i].state != THREAD_ABSENT) {
            return false;
        }
    }
    return true;
}

int32_t world_given(void) {
    return (int32_t)(scenario->initial + scenario->gives - gives_left);
}

// Each thread has its own priority, the mutex's holder that of its highest waiter if it is higher.
const char *world_inheritance_wrong(void) {
    const struct mutex *mutex = &kernel_mutexes[0];
    for (uint32_t i = 0; i < WORLD_THREADS; i++) {
        const struct thread *thread = &kernel_threads[i];
        const struct thread *first = mutex->holder == thread ? mutex->waiters.first : NULL;
        uint32_t bit = ready_bit(thread->base_priority);
        bit = first != NULL && first->bit > bit ? first->bit : bit;
        if (thread->bit != bit && thread->state != THREAD_ABSENT) {
            return "a thread has the wrong priority";
        }
    }
    return NULL;
}

static void begin_objects(void) {
    world_semaphores[0] = (struct bulkhead_semaphore){.count = (int32_t)scenario->initial,
                                                      .maximum = (uint16_t)scenario->maximum,
                                                      .handle = SEMAPHORE};
    semaphore.maximum = (int32_t)scenario->maximum;
    world_mutexes[0] = (struct bulkhead_mutex){.word = BULKHEAD_MUTEX_FREE, .handle = MUTEX};
    kernel_mutexes[0].process = &process;
    world_queues[0] = (struct bulkhead_queue){.capacity = scenario->capacity,
                                              .mask = 3,
                                              .message_bytes = 8,
                                              .buffer = buffer,
                                              .handle = QUEUE};
    local_queue.capacity = scenario->capacity;
}

static void begin_threads(void) {
    for (uint32_t i = 0; i < WORLD_THREADS; i++) {
        begun[i] = scenario->programs[i] == NULL;
        make_coroutine(i);
        kernel_threads[i].base_priority = scenario->priorities[i];
        thread_prioritise(&kernel_threads[i], scenario->priorities[i]);
        if (begun[i]) {
            thread_end(&kernel_threads[i], BULKHEAD_OK);
        }
    }
}

void world_begin(const struct scenario *chosen) {
    jmp_buf here;
    scenario = chosen;
    started = &here;
    explorer = explorer == NULL ? malloc(sizeof *explorer) : explorer;
    begin_objects();
    if (setjmp(here) == 0) {
        bulkhead_start();
    }
    started = NULL;
    begin_threads();
    run(&kernel_idle);
    ticks_left = scenario->ticks;
    gives_left = scenario->gives;
}

// --- For the explorer ----------------------------------------------------------------------------

static bool is_possible(uint32_t step) {
    const struct thread *current = kernel.current;
    switch (step) {
    case RUN:
        return current != &kernel_idle;
    case TICK:
        return ticks_left != 0;
    case GIVE:
        return gives_left != 0;
    case SLICE:
        return current != &kernel_idle && current->next != current;
    default:
        return !begun[step - START];
    }
}

static uint32_t step_of(uint32_t index) {
    uint32_t step = 0;
    while (!is_possible(step) || index-- != 0) {
        step++;
    }
    return step;
}

uint32_t world_steps(void) {
    uint32_t count = 0;
    for (uint32_t step = 0; step < STEPS; step++) {
        count += is_possible(step);
    }
    return count;
}

static void interrupt(uint32_t step) {
    switch (step) {
    case TICK:
        ticks_left--;
        kernel_tick();
        break;
    case GIVE:
        gives_left--;
        kernel_interrupt_posts(&semaphore);
        break;
    case SLICE:
        *kernel.current->level = kernel.current->next;
        break;
    default:
        begun[step - START] = true;
        kernel_interrupt_resumes(&kernel_threads[step - START]);
    }
    end_interrupt();
}

void world_take(uint32_t index) {
    const uint32_t step = step_of(index);
    if (step == RUN) {
        swapcontext(explorer, &coroutines[self()]);
    } else {
        interrupt(step);
    }
}

const char *world_step_name(uint32_t index) {
    static const char *const names[] = {"go on", "start 0", "start 1", "start 2",
                                        "tick",  "give",    "slice"};
    return names[step_of(index)];
}

const char *world_wrong(int rests) {
    return failure != NULL ? failure : scenario->wrong(rests);
}
