// SPDX-License-Identifier: MIT
//
// See world.h. Each thread is a coroutine that stops before each access; the explorer's step lets
// it go on to the next.
#include "world.h"
#include "explore.h"
#include "gate_entry.h"
#include "methods.h"
#include <bulkhead/start.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

// Steps: the thread that runs goes on, or faults; an interrupt starts a thread, or does something
// else.
enum { RUN, FAULT, START, TICK = START + WORLD_THREADS, GIVE, SET, SLICE, STEPS };
enum { SEMAPHORE = 1, MUTEX, LOCAL_QUEUE, FLAGS }; // handles of what is in user space
enum { STACK_WORDS = 192, KEPT_BYTES = 128 };

static const struct scenario *scenario;
static ucontext_t coroutines[WORLD_THREADS], *explorer; // which is no part of the world
static uint64_t stacks[WORLD_THREADS][STACK_WORDS];
static jmp_buf *started;

static bool begun[WORLD_THREADS], rewound[WORLD_THREADS], launched[WORLD_THREADS], monitored;
static uint32_t ticks_left, gives_left, sets_left, faults_left;
static const char *failure;

// --- The declaration -----------------------------------------------------------------------------

struct bulkhead_semaphore world_semaphores[1];
struct bulkhead_mutex world_mutexes[1];
static uint32_t buffer[8];
struct bulkhead_queue world_queues[1];
struct bulkhead_flags world_flags[1];
struct bulkhead_pool world_pools[1];
static uint32_t own_blocks[WORLD_BLOCKS][2], shared_blocks[WORLD_BLOCKS][2];
static uint16_t links[WORLD_BLOCKS];
// What threads read as bulkhead_page.
struct bulkhead_page world_page __asm__("bulkhead_page");

static struct semaphore semaphore = {.count = &world_semaphores[0].count};
struct mutex kernel_mutexes[1] = {{.word = &world_mutexes[0].word}};
const uint32_t kernel_mutex_count = 1;
static struct local_queue local_queue = {.queue = &world_queues[0], .handle = LOCAL_QUEUE};
static struct flags flags = {.word = &world_flags[0].word};
static struct gate gate = {.server = &kernel_threads[WORLD_SERVER]};
static uint32_t messages[4];
static struct queue queue = {.start = messages, .words = 1};
static struct pool pool = {.block_bytes = sizeof shared_blocks[0], .links = links};

static struct bulkhead_fault report;
#define OF(from, to)                                                                \
    .report = &report, .first = &kernel_threads[from], .last = &kernel_threads[to], \
    .highest_bit = 1u << 31
static const struct process process = {OF(0, WORLD_CLIENT - 1)};
static const struct process client_process = {OF(WORLD_CLIENT, WORLD_CLIENT)};
static const struct process server_process = {OF(WORLD_SERVER, WORLD_SERVER), .restarts = 1};
const struct process *const kernel_processes[] = {&process, &client_process, &server_process};
const uint32_t kernel_process_count = 3;
const uint32_t kernel_rights_mask = 0;
struct timer *kernel_timer_heap[WORLD_THREADS + 1];

struct thread kernel_threads[WORLD_THREADS];
const struct thread_declaration kernel_thread_declarations[] = {
    {.process = &process, .initially = THREAD_SUSPENDED, .next = &kernel_threads[1]},
    {.process = &process, .initially = THREAD_SUSPENDED, .next = &kernel_threads[2]},
    {.process = &process, .initially = THREAD_SUSPENDED},
    {.process = &client_process, .initially = THREAD_SUSPENDED},
    {.process = &server_process, .initially = THREAD_SUSPENDED, .serves = &gate},
};
const uint32_t kernel_thread_count = WORLD_THREADS;
const struct thread_declaration kernel_idle_declaration = {.process = &process,
                                                           .priority = PRIORITIES};

// --- The processor -------------------------------------------------------------------------------

static bool is_program(const struct thread *thread) {
    return thread != &kernel_idle && thread != &kernel_nobody;
}

struct arch_frame *arch_caller_frame(void) {
    return &kernel.current->context.frame;
}

// Every interrupt here ends with the question who is the highest.
void arch_switch_request(void) {
}

void arch_context_reset(struct arch_context *context, void (*entry)(void), uint32_t stack_top,
                        const struct arch_region *stack) {
    const struct thread *thread = (const struct thread *)(void *)context; // its first member
    (void)entry, (void)stack_top, (void)stack;
    *context = (struct arch_context){0};
    if (is_program(thread)) {
        launched[thread - kernel_threads] = true;
    }
}

bool arch_interrupt_pending(void) {
    return scenario->in_pieces;
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
        if (is_program(kernel.current)) {
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

void world_point(void) {
    stop(self());
}

uint32_t bulkhead_load_exclusive(volatile uint32_t *word) {
    world_point();
    monitored = true;
    return *word;
}

uint32_t bulkhead_store_exclusive(volatile uint32_t *word, uint32_t value) {
    world_point();
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
    case LOCAL_QUEUE *BULKHEAD_METHODS + BULKHEAD_LOCAL_QUEUE_AWAIT:
        return local_queue_await(&local_queue, frame);
    case LOCAL_QUEUE *BULKHEAD_METHODS + BULKHEAD_LOCAL_QUEUE_WAKE:
        return local_queue_wake(&local_queue);
    case FLAGS *BULKHEAD_METHODS + BULKHEAD_FLAGS_SET:
        return flags_set(&flags, frame);
    case FLAGS *BULKHEAD_METHODS + BULKHEAD_FLAGS_CLEAR:
        return flags_clear(&flags, frame);
    case FLAGS *BULKHEAD_METHODS + BULKHEAD_FLAGS_WAIT_ANY:
    case FLAGS *BULKHEAD_METHODS + BULKHEAD_FLAGS_WAIT_ALL:
    case FLAGS *BULKHEAD_METHODS + BULKHEAD_FLAGS_TAKE_ANY:
    case FLAGS *BULKHEAD_METHODS + BULKHEAD_FLAGS_TAKE_ALL:
        return flags_wait(&flags, frame);
    case WORLD_GATE *BULKHEAD_METHODS + BULKHEAD_GATE_CALL:
        return gate_call_idle(&gate);
    case WORLD_GATE *BULKHEAD_METHODS + BULKHEAD_GATE_CALL_TIMED:
        return gate_call_timed(&gate, frame);
    case WORLD_GATE *BULKHEAD_METHODS + BULKHEAD_GATE_RECEIVE:
        return gate_receive_answering(&gate, frame);
    case WORLD_GATE *BULKHEAD_METHODS + BULKHEAD_GATE_RECEIVE_TIMED:
        return gate_receive_timed(&gate, frame);
    case WORLD_POOL *BULKHEAD_METHODS + BULKHEAD_POOL_ALLOCATE:
        return pool_allocate(&pool, frame);
    case WORLD_POOL *BULKHEAD_METHODS + BULKHEAD_POOL_FREE:
        return pool_free(&pool, frame);
    case WORLD_QUEUE *BULKHEAD_METHODS + BULKHEAD_QUEUE_SEND:
        return queue_send(&queue, frame);
    case WORLD_QUEUE *BULKHEAD_METHODS + BULKHEAD_QUEUE_RECEIVE:
        return queue_receive(&queue, frame);
    case WORLD_CONTROL *BULKHEAD_METHODS + BULKHEAD_THREAD_SUSPEND:
        return thread_suspend(&kernel_threads[WORLD_CLIENT]);
    case WORLD_SECOND *BULKHEAD_METHODS + BULKHEAD_THREAD_SET_PRIORITY:
        return thread_set_priority(&kernel_threads[1], frame);
    case BULKHEAD_SELF *BULKHEAD_METHODS + BULKHEAD_SELF_EXIT:
        return self_exit();
    default:
        abort();
    }
}

// Goes on when the caller runs again.
static void call_once(uint32_t thread, uint32_t handle, uint32_t method) {
    const decision next = dispatch(&kernel_threads[thread].context.frame, handle, method);
    monitored = false;
    if (next != GO_ON) {
        run(next);
    }
    if (next != GO_ON && next != &kernel_threads[thread]) {
        stop(thread);
    }
}

static void call(uint32_t thread, uint32_t handle, uint32_t method) {
    struct arch_frame *frame = &kernel_threads[thread].context.frame;
    do {
        frame->repeats = false;
        call_once(thread, handle, method);
    } while (frame->repeats);
}

enum bulkhead_result world_call(uint32_t handle, uint32_t method, uint32_t *value,
                                uint32_t second) {
    const uint32_t thread = self();
    struct arch_frame *frame = &kernel_threads[thread].context.frame;
    world_point();
    *frame = (struct arch_frame){BULKHEAD_OK, method, value == NULL ? 0 : *value, second, false};
    call(thread, handle, method);
    if (value != NULL) {
        *value = frame->argument;
    }
    return (enum bulkhead_result)frame->result;
}

enum bulkhead_result bulkhead_exchange_words_1(uint32_t handle, uint32_t method, uint32_t words[4],
                                               uint32_t *value) {
    const uint32_t thread = self();
    struct arch_context *context = &kernel_threads[thread].context;
    world_point();
    context->frame = (struct arch_frame){BULKHEAD_OK, method, *value, 0, false};
    memcpy(context->words, words, sizeof context->words);
    call(thread, handle, method);
    memcpy(words, context->words, sizeof context->words);
    *value = context->frame.argument;
    return (enum bulkhead_result)context->frame.result;
}

enum bulkhead_result bulkhead_exchange_words(uint32_t handle, uint32_t method, uint32_t words[4],
                                             uint32_t *value) {
    *value = 0;
    return bulkhead_exchange_words_1(handle, method, words, value);
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

bool world_has_faulted(void) {
    return faults_left != scenario->faults;
}

int32_t world_given(void) {
    return (int32_t)(scenario->initial + scenario->gives - gives_left);
}

const char *world_queue_wrong(void) {
    if (queue.senders.first != NULL && queue.used != queue.capacity) {
        return "a sender waits where there is room";
    }
    if (queue.receivers.first != NULL && queue.used != 0) {
        return "a receiver waits where there is a message";
    }
    return NULL;
}

uint32_t world_free_blocks(void) {
    uint32_t count = 0;
    for (uint32_t i = pool.free; i != POOL_END && count <= WORLD_BLOCKS; i = links[i]) {
        count++;
    }
    return count;
}

static void begin_pools(void) {
    for (uint32_t i = 0; i < WORLD_BLOCKS; i++) {
        const bool last = i == WORLD_BLOCKS - 1;
        own_blocks[i][0] = last ? 0 : (uint32_t)(uintptr_t)own_blocks[i + 1];
        links[i] = last ? POOL_END : (uint16_t)(i + 1);
    }
    world_pools[0] = (struct bulkhead_pool){(uint32_t)(uintptr_t)own_blocks,
                                            (uint32_t)(uintptr_t)own_blocks, sizeof own_blocks};
    pool.free = 0;
    pool.start = (uint32_t)(uintptr_t)shared_blocks;
    pool.blocks = WORLD_BLOCKS;
}

static void begin_queue(void) {
    queue.capacity = scenario->capacity;
    queue.used = 0;
    queue.head = queue.start;
    queue.tail = queue.start;
    queue.end = queue.start + scenario->capacity;
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
                                              .handle = LOCAL_QUEUE};
    local_queue.capacity = scenario->capacity;
    world_flags[0] = (struct bulkhead_flags){.handle = FLAGS};
    begin_queue();
    begin_pools();
}

// At its entry, and suspended until it is started.
static void begin_thread(uint32_t i) {
    begun[i] = false;
    rewound[i] = false;
    launched[i] = false;
    make_coroutine(i);
    kernel_threads[i].base_bit = ready_bit(scenario->priorities[i]);
    thread_prioritise(&kernel_threads[i], kernel_threads[i].base_bit);
}

static void begin_threads(void) {
    for (uint32_t i = 0; i < WORLD_THREADS; i++) {
        begin_thread(i);
        if (scenario->programs[i] == NULL) {
            begun[i] = true;
            thread_become_absent(&kernel_threads[i]);
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
    sets_left = scenario->sets;
    faults_left = scenario->faults;
}

// --- For the explorer ----------------------------------------------------------------------------

static bool is_possible(uint32_t step) {
    const struct thread *current = kernel.current;
    switch (step) {
    case RUN: // idle runs while it has work
        return current != &kernel_idle || kernel_idle.bit != 0;
    case FAULT:
        return faults_left != 0 && current != &kernel_idle;
    case TICK:
        return ticks_left != 0;
    case GIVE:
        return gives_left != 0;
    case SET:
        return sets_left != 0;
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
    case SET:
        sets_left--;
        kernel_interrupt_sets(&flags, WORLD_SET_BY_INTERRUPTS);
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

// Of the thread that runs, anywhere in its program.
static void fault(void) {
    faults_left--;
    monitored = false;
    run(kernel_fault());
}

// Threads that the kernel has launched again are suspended, as at first.
static void begin_launched(void) {
    for (uint32_t i = 0; i < WORLD_THREADS; i++) {
        if (launched[i]) {
            begin_thread(i);
        }
    }
}

void world_take(uint32_t index) {
    const uint32_t step = step_of(index);
    if (step == RUN && kernel.current == &kernel_idle) {
        run(idle_work(NULL, &kernel_idle.context.frame));
        world_page.ticks = kernel.ticks;
    } else if (step == RUN) {
        swapcontext(explorer, &coroutines[self()]);
    } else if (step == FAULT) {
        fault();
    } else {
        interrupt(step);
    }
    begin_launched();
}

const char *world_step_name(uint32_t index) {
    static const char *const names[] = {"go on",   "fault",        "start 0",      "start 1",
                                        "start 2", "start client", "start server", "tick",
                                        "give",    "set",          "slice"};
    return names[step_of(index)];
}

const char *world_wrong(int rests) {
    if (kernel.current != ready_highest(&kernel.ready)) {
        return "another thread than the highest runs";
    }
    return failure != NULL ? failure : scenario->wrong(rests);
}
