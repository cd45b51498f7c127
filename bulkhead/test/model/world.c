// SPDX-License-Identifier: MIT
//
// The threads, interrupts and system calls of the model (world.h). Each thread is a coroutine that
// stops before each access; a step of the explorer lets it go on to the next access. Coroutines
// switch by longjmp(), which makes no system call, and whose buffers are small.
#undef _FORTIFY_SOURCE // its check of longjmp() refuses jumps to another stack
#include "world.h"
#include "declaration.h"
#include "../../core/hooks/checks/checks.h"
#include "explore.h"
#include <bulkhead/start.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

// The kinds of steps. RUN: the running thread makes its next access. FAULT: it faults. START and
// the next ones: an interrupt starts a thread, is a tick, gives the semaphore, sets a flag or ends
// a time slice. CHOOSE and above: world_choose() of the running thread returns one of its values.
enum { RUN, FAULT, START, TICK = START + WORLD_THREADS, GIVE, SET, SLICE, CHOOSE };
enum { STEPS = CHOOSE + WORLD_CHOICES };
enum { STACK_WORDS = 192, KEPT_BYTES = 64 };

static const struct scenario *scenario;
static jmp_buf coroutines[WORLD_THREADS];
static jmp_buf *explorer; // neither this nor `checking` is part of the explored state
static jmp_buf *checking; // a failed check of the kernel's state returns here
static uint64_t stacks[WORLD_THREADS][STACK_WORDS];
static jmp_buf *started;
static ucontext_t *maker; // used only within a step

static bool begun[WORLD_THREADS], rewound[WORLD_THREADS], launched[WORLD_THREADS], monitored;
static bool idle_asks; // used only within a step, so it is not part of the explored state
static uint32_t ticks_left, gives_left, sets_left, faults_left, reports;
static const char *failure;
// Number of choices, and the choice, of world_choose().
static uint32_t choices[WORLD_THREADS], chosen[WORLD_THREADS];

// The kernel's page that every thread may read.
struct bulkhead_page world_page __asm__("bulkhead_page");

// --- The processor -------------------------------------------------------------------------------

// The fault status of the processor, until the kernel has reported the fault.
enum { FAULT_WORD = 0xFA17 };

static bool is_program(const struct thread *thread) {
    return thread != &kernel_idle && thread != &kernel_no_thread;
}

struct arch_frame *arch_caller_frame(void) {
    return &kernel.current->context.frame;
}

// Does nothing: every interrupt of the model ends with a choice of the highest thread.
void arch_switch_request(void) {
}

void arch_context_reset(struct arch_context *context, void (*entry)(void), uint32_t stack_top,
                        const struct arch_region *stack) {
    // `context` is the first member of struct thread.
    const struct thread *thread = (const struct thread *)(void *)context;
    (void)entry, (void)stack_top, (void)stack;
    *context = (struct arch_context){0};
    if (is_program(thread)) {
        launched[thread - kernel_threads] = true;
    }
}

// Returns whether an interrupt is pending. The first time that the idle thread's call asks, the
// answer decides whether it continues deferred work at all.
bool arch_interrupt_pending(void) {
    const bool is_before_work = idle_asks;
    idle_asks = false;
    return scenario->in_pieces && !is_before_work;
}

void arch_fault_report(const struct thread *thread) {
    if (thread->fault[0] != FAULT_WORD || thread->fault[1] != FAULT_WORD) {
        failure = "a report of another fault";
    }
    reports++;
}

// Is called when the kernel has started. Returns to the explorer, for which this is the first state
// of the world.
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

// Returns from an interrupt to the thread of the highest priority, which may not be the interrupted
// one.
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

// Switches from a thread to the explorer. The stack below this frame is unused then, and not part
// of the state.
static __attribute__((noinline)) void stop(uint32_t thread) {
    char *bottom = (char *)stacks[thread];
    char *top = (char *)__builtin_frame_address(0) - KEPT_BYTES;
    memset(bottom, 0, (size_t)(top - bottom));
    if (_setjmp(coroutines[thread]) == 0) {
        _longjmp(*explorer, 1);
    }
}

// Switches from the explorer to a thread, until the thread stops.
static void let_go_on(uint32_t thread) {
    if (_setjmp(*explorer) == 0) {
        _longjmp(coroutines[thread], 1);
    }
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

uint32_t world_choose(uint32_t count) {
    const uint32_t thread = self();
    choices[thread] = count;
    stop(thread);
    choices[thread] = 0;
    return chosen[thread];
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

// Makes a system call, without repeating it. Returns when the calling thread runs again.
static void call_once(uint32_t thread, uint32_t handle, uint32_t method) {
    struct thread *const next =
        declaration_dispatch(&kernel_threads[thread].context.frame, handle, method);
    monitored = false;
    if (next != NO_SWITCH) {
        run(next);
    }
    if (next != NO_SWITCH && next != &kernel_threads[thread]) {
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

enum bulkhead_result bulkhead_exchange_words_2(uint32_t handle, uint32_t method, uint32_t words[4],
                                               uint32_t *value, uint32_t second) {
    const uint32_t thread = self();
    struct arch_context *context = &kernel_threads[thread].context;
    world_point();
    context->frame = (struct arch_frame){BULKHEAD_OK, method, *value, second, false};
    memcpy(context->words, words, sizeof context->words);
    call(thread, handle, method);
    memcpy(words, context->words, sizeof context->words);
    *value = context->frame.argument;
    return (enum bulkhead_result)context->frame.result;
}

enum bulkhead_result bulkhead_exchange_words_1(uint32_t handle, uint32_t method, uint32_t words[4],
                                               uint32_t *value) {
    return bulkhead_exchange_words_2(handle, method, words, value, 0);
}

enum bulkhead_result bulkhead_exchange_words(uint32_t handle, uint32_t method, uint32_t words[4],
                                             uint32_t *value) {
    *value = 0;
    return bulkhead_exchange_words_1(handle, method, words, value);
}

static void thread_main(int thread) {
    if (_setjmp(coroutines[thread]) == 0) {
        setcontext(maker);
    }
    scenario->programs[self()]();
    bulkhead_exit();
}

// Begins a coroutine on its own stack, and returns when the coroutine has stopped before the
// program of its thread.
static void make_coroutine(uint32_t thread) {
    ucontext_t here, there;
    memset(stacks[thread], 0, sizeof stacks[thread]);
    getcontext(&there);
    there.uc_stack.ss_sp = stacks[thread];
    there.uc_stack.ss_size = sizeof stacks[thread];
    makecontext(&there, (void (*)(void))thread_main, 1, (int)thread);
    maker = &here;
    swapcontext(&here, &there);
    maker = NULL;
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

// Sets a thread to its entry point, suspended until an interrupt starts it. A thread without a
// program is in the state of a thread that has exited.
static void begin_thread(uint32_t i) {
    begun[i] = false;
    rewound[i] = false;
    launched[i] = false;
    choices[i] = 0;
    chosen[i] = 0;
    make_coroutine(i);
    kernel_threads[i].base_priority_mask = priority_mask_of(scenario->priorities[i]);
    thread_prioritise(&kernel_threads[i], kernel_threads[i].base_priority_mask);
    if (scenario->programs[i] == NULL) {
        begun[i] = true;
        kernel_threads[i].state = THREAD_DORMANT;
    }
}

static void begin_threads(void) {
    for (uint32_t i = 0; i < WORLD_THREADS; i++) {
        begin_thread(i);
    }
}

void world_begin(const struct scenario *to_explore) {
    jmp_buf here;
    scenario = to_explore;
    started = &here;
    explorer = explorer == NULL ? malloc(sizeof *explorer) : explorer;
    checking = checking == NULL ? malloc(sizeof *checking) : checking;
    declaration_begin(scenario);
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
    reports = 0;
}

// --- For the explorer ----------------------------------------------------------------------------

static uint32_t choices_now(void) {
    return kernel.current == &kernel_idle ? 0 : choices[self()];
}

static bool is_possible(uint32_t step) {
    const struct thread *current = kernel.current;
    if (step >= CHOOSE) {
        return step - CHOOSE < choices_now();
    }
    switch (step) {
    case RUN: // the idle thread runs only while there is deferred work
        return current == &kernel_idle ? kernel_idle.priority_mask != 0 : choices_now() == 0;
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
        declaration_give();
        break;
    case SET:
        sets_left--;
        declaration_set(WORLD_SET_BY_INTERRUPTS);
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

// Makes the running thread fault, anywhere in its program.
static void fault(void) {
    faults_left--;
    monitored = false;
    kernel.current->fault[0] = FAULT_WORD;
    kernel.current->fault[1] = FAULT_WORD;
    kernel_fault();
    run(thread_highest());
}

// Suspends the threads that the kernel has launched again after a restart, as all threads are
// suspended at the start.
static void begin_launched(void) {
    for (uint32_t i = 0; i < WORLD_THREADS; i++) {
        if (launched[i] && !(kernel_threads[i].state & THREAD_DORMANT)) {
            begin_thread(i);
        }
    }
    // The idle thread may still have a higher priority than that of its deferred work.
    if (kernel.current == &kernel_idle) {
        run(ready_highest(&kernel.ready));
    }
}

void world_take(uint32_t index) {
    const uint32_t step = step_of(index);
    if (step == RUN && kernel.current == &kernel_idle) {
        idle_asks = true;
        run(idle_work(NULL, &kernel_idle.context.frame));
        idle_asks = false;
        world_page.ticks = kernel.ticks;
    } else if (step == RUN) {
        let_go_on(self());
    } else if (step >= CHOOSE) {
        chosen[self()] = step - CHOOSE;
        let_go_on(self());
    } else if (step == FAULT) {
        fault();
    } else {
        interrupt(step);
    }
    begin_launched();
}

const char *world_step_name(uint32_t index) {
    static const char *const names[] = {
        "go on",    "fault",    "start 0",  "start 1",  "start 2",  "start client", "start server",
        "tick",     "give",     "set",      "slice",    "choose 0", "choose 1",     "choose 2",
        "choose 3", "choose 4", "choose 5", "choose 6", "choose 7"};
    return names[step_of(index)];
}

_Noreturn void kernel_inconsistent(const char *invariant) {
    failure = invariant;
    longjmp(*checking, 1);
}

const char *world_wrong(int rests) {
    if (setjmp(*checking) == 0) {
        kernel_check();
    }
    if (kernel.current != ready_highest(&kernel.ready)) {
        return "another thread than the highest runs";
    }
    if (rests && reports != scenario->faults - faults_left) {
        return "a fault is not reported";
    }
    return failure != NULL ? failure : scenario->wrong(rests);
}
