// SPDX-License-Identifier: MIT
//
// The porting contract (bench/port.h) on rt, with its C interface.
//
// rt creates its objects by static initialisers. Before the kernel starts, the port applies the
// same initialisers to arrays sized by the declarations. It allocates stacks from one block of
// memory, and messages and blocks from another.
#include <arch/interrupt.h>
#include <bench/interrupt_lines.h>
#include <bench/port.h>
#include <protection.h>
#include <start.h>

#include <rt/cond.h>
#include <rt/context.h>
#include <rt/event.h>
#include <rt/mutex.h>
#include <rt/panic.h>
#include <rt/pool.h>
#include <rt/queue.h>
#include <rt/rwlock.h>
#include <rt/sem.h>
#include <rt/start.h>
#include <rt/task.h>
#include <rt/tick.h>
#include <rt/timer.h>

// Room for the objects. The start-up refuses a scenario that declares more.
enum {
    MAX_TASKS = 64,
    MAX_SEMAPHORES = 8,
    MAX_MUTEXES = 8,
    MAX_FLAGS = 4,
    MAX_QUEUES = 4,
    MAX_POOLS = 4,
    MAX_CONDITIONS = 4,
    MAX_RWLOCKS = 4,
    MAX_TIMERS = 4,
    TIMER_COMMANDS = 10,
    TIMER_STACK_BYTES = 512,
    MEMORY_BYTES = 8 * 1024,
    STACKS_BYTES = 128 * 1024,
};

RT_MPU_PRIV_BSS(tasks)
static struct rt_task tasks[MAX_TASKS];
static struct rt_sem semaphores[MAX_SEMAPHORES];
static struct rt_mutex mutexes[MAX_MUTEXES];
static struct rt_event flags[MAX_FLAGS];
static struct rt_queue queues[MAX_QUEUES];
static struct rt_pool pools[MAX_POOLS];
static struct rt_cond conditions[MAX_CONDITIONS];
static struct rt_rwlock rwlocks[MAX_RWLOCKS];
static struct rt_timer timers[MAX_TIMERS];

// --- Tasks ---------------------------------------------------------------------------------------

void bench_task_yield(void) {
    rt_task_yield();
}

_Noreturn void bench_task_exit(void) {
    rt_task_exit();
}

void bench_task_delay(uint32_t ticks) {
    rt_task_sleep(ticks);
}

void bench_task_delay_until(uint32_t *wake, uint32_t period) {
    rt_task_sleep_periodic(wake, period);
}

struct bench_task bench_task_self(void) {
    return (struct bench_task){(uint32_t)(rt_task_self() - tasks)};
}

uint32_t bench_ticks(void) {
    return rt_tick_count();
}

// --- Semaphores and mutexes ----------------------------------------------------------------------

static enum bench_status available(bool result) {
    return result ? BENCH_OK : BENCH_TIMED_OUT;
}

// rt has three calls where the contract has one with a timeout. Here and below, the timeout selects
// the call.
enum bench_status bench_semaphore_take(struct bench_semaphore semaphore, uint32_t timeout_ticks) {
    struct rt_sem *const sem = &semaphores[semaphore.index];
    switch (timeout_ticks) {
    case BENCH_NO_WAIT:
        return available(rt_sem_trywait(sem));
    case BENCH_FOREVER:
        rt_sem_wait(sem);
        return BENCH_OK;
    default:
        return available(rt_sem_timedwait(sem, timeout_ticks));
    }
}

// A give at the semaphore's maximum has no effect; rt does not report that case.
enum bench_status bench_semaphore_give(struct bench_semaphore semaphore) {
    rt_sem_post_from_task(&semaphores[semaphore.index]);
    return BENCH_OK;
}

enum bench_status bench_mutex_lock(struct bench_mutex mutex, uint32_t timeout_ticks) {
    struct rt_mutex *const lock = &mutexes[mutex.index];
    switch (timeout_ticks) {
    case BENCH_NO_WAIT:
        return available(rt_mutex_trylock(lock));
    case BENCH_FOREVER:
        rt_mutex_lock(lock);
        return BENCH_OK;
    default:
        return available(rt_mutex_timedlock(lock, timeout_ticks));
    }
}

enum bench_status bench_mutex_unlock(struct bench_mutex mutex) {
    rt_mutex_unlock(&mutexes[mutex.index]);
    return BENCH_OK;
}

// --- Condition variables -------------------------------------------------------------------------
// The kernel's calls have no result.

enum bench_status bench_condition_wait(struct bench_condition condition, struct bench_mutex mutex) {
    rt_cond_wait(&conditions[condition.index], &mutexes[mutex.index]);
    return BENCH_OK;
}

enum bench_status bench_condition_signal(struct bench_condition condition) {
    rt_cond_signal(&conditions[condition.index]);
    return BENCH_OK;
}

enum bench_status bench_condition_broadcast(struct bench_condition condition) {
    rt_cond_broadcast(&conditions[condition.index]);
    return BENCH_OK;
}

// --- Read-write locks ----------------------------------------------------------------------------

enum bench_status bench_rwlock_lock_read(struct bench_rwlock lock, uint32_t timeout_ticks) {
    struct rt_rwlock *const rwlock = &rwlocks[lock.index];
    switch (timeout_ticks) {
    case BENCH_NO_WAIT:
        return available(rt_rwlock_tryrdlock(rwlock));
    case BENCH_FOREVER:
        rt_rwlock_rdlock(rwlock);
        return BENCH_OK;
    default:
        return available(rt_rwlock_timedrdlock(rwlock, timeout_ticks));
    }
}

enum bench_status bench_rwlock_unlock_read(struct bench_rwlock lock) {
    rt_rwlock_rdunlock(&rwlocks[lock.index]);
    return BENCH_OK;
}

enum bench_status bench_rwlock_lock_write(struct bench_rwlock lock, uint32_t timeout_ticks) {
    struct rt_rwlock *const rwlock = &rwlocks[lock.index];
    switch (timeout_ticks) {
    case BENCH_NO_WAIT:
        return available(rt_rwlock_trywrlock(rwlock));
    case BENCH_FOREVER:
        rt_rwlock_wrlock(rwlock);
        return BENCH_OK;
    default:
        return available(rt_rwlock_timedwrlock(rwlock, timeout_ticks));
    }
}

enum bench_status bench_rwlock_unlock_write(struct bench_rwlock lock) {
    rt_rwlock_wrunlock(&rwlocks[lock.index]);
    return BENCH_OK;
}

// --- Event flags ---------------------------------------------------------------------------------

// The kernel returns the bits as they were when the wait ended, by success or by timeout.
enum bench_status bench_flags_wait_all(struct bench_flags group, uint32_t bits,
                                       uint32_t timeout_ticks) {
    struct rt_event *const event = &flags[group.index];
    const uint32_t all = bits | RT_EVENT_WAIT_ALL;
    switch (timeout_ticks) {
    case BENCH_NO_WAIT:
        return available(rt_event_bits_match(rt_event_trywait(event, all), all));
    case BENCH_FOREVER:
        return available(rt_event_bits_match(rt_event_wait(event, all), all));
    default:
        return available(rt_event_bits_match(rt_event_timedwait(event, all, timeout_ticks), all));
    }
}

// The kernel returns the bits before the call, which is no error code, so the result is ignored.
enum bench_status bench_flags_set(struct bench_flags group, uint32_t bits) {
    (void)rt_event_set_from_task(&flags[group.index], bits);
    return BENCH_OK;
}

// --- Queues and blocks ---------------------------------------------------------------------------

enum bench_status bench_queue_send(struct bench_queue queue, const void *message,
                                   uint32_t timeout_ticks) {
    struct rt_queue *const target = &queues[queue.index];
    switch (timeout_ticks) {
    case BENCH_NO_WAIT:
        return available(rt_queue_trypush(target, message));
    case BENCH_FOREVER:
        rt_queue_push(target, message);
        return BENCH_OK;
    default:
        return available(rt_queue_timedpush(target, message, timeout_ticks));
    }
}

enum bench_status bench_queue_receive(struct bench_queue queue, void *message,
                                      uint32_t timeout_ticks) {
    struct rt_queue *const source = &queues[queue.index];
    switch (timeout_ticks) {
    case BENCH_NO_WAIT:
        return available(rt_queue_trypop(source, message));
    case BENCH_FOREVER:
        rt_queue_pop(source, message);
        return BENCH_OK;
    default:
        return available(rt_queue_timedpop(source, message, timeout_ticks));
    }
}

enum bench_status bench_pool_allocate(struct bench_pool pool, void **block) {
    *block = rt_pool_get(&pools[pool.index]);
    return BENCH_OK;
}

enum bench_status bench_pool_free(struct bench_pool pool, void *block) {
    rt_pool_put(&pools[pool.index], block);
    return BENCH_OK;
}

// --- Timers --------------------------------------------------------------------------------------

enum bench_status bench_timer_start(struct bench_timer timer) {
    rt_timer_start(&timers[timer.index]);
    return BENCH_OK;
}

enum bench_status bench_timer_stop(struct bench_timer timer) {
    rt_timer_stop(&timers[timer.index]);
    return BENCH_OK;
}

static void timer_gives(uintptr_t semaphore) {
    rt_sem_post_from_task(&semaphores[semaphore]);
}

// --- Interrupts ----------------------------------------------------------------------------------

static uint32_t lines[BENCH_INTERRUPTS_MAX];
static uint32_t objects[BENCH_INTERRUPTS_MAX];

void bench_interrupt_trigger(struct bench_interrupt interrupt) {
    protection_request_interrupt(lines[interrupt.index]);
}

uint32_t bench_interrupt_line(struct bench_interrupt interrupt) {
    return lines[interrupt.index];
}

enum bench_status bench_semaphore_give_from_interrupt(struct bench_semaphore semaphore) {
    rt_sem_post_from_interrupt(&semaphores[semaphore.index]);
    return BENCH_OK;
}

static inline void interrupt_posts(uint32_t interrupt) {
    rt_sem_post_from_interrupt(&semaphores[objects[interrupt]]);
}

static inline void interrupt_calls(uint32_t interrupt) {
    bench_scenario.interrupts[interrupt].handler();
}

BENCH_HANDLERS_POST(interrupt_posts)
BENCH_HANDLERS_CALL(interrupt_calls)

// --- Start ---------------------------------------------------------------------------------------

void rt_panic(const char *message) {
    bench_fail(message);
}

static void refuse_more_than_fits(void) {
    BENCH_REQUIRE(bench_scenario.task_count <= MAX_TASKS, "port: too many tasks declared");
    BENCH_REQUIRE(bench_scenario.semaphore_count <= MAX_SEMAPHORES,
                  "port: too many semaphores declared");
    BENCH_REQUIRE(bench_scenario.mutex_count <= MAX_MUTEXES, "port: too many mutexes declared");
    BENCH_REQUIRE(bench_scenario.flags_count <= MAX_FLAGS, "port: too many flags declared");
    BENCH_REQUIRE(bench_scenario.queue_count <= MAX_QUEUES, "port: too many queues declared");
    BENCH_REQUIRE(bench_scenario.pool_count <= MAX_POOLS, "port: too many pools declared");
    BENCH_REQUIRE(bench_scenario.condition_count <= MAX_CONDITIONS,
                  "port: too many conditions declared");
    BENCH_REQUIRE(bench_scenario.rwlock_count <= MAX_RWLOCKS,
                  "port: too many read-write locks declared");
    BENCH_REQUIRE(bench_scenario.timer_count <= MAX_TIMERS, "port: too many timers declared");
    BENCH_REQUIRE(bench_scenario.interrupt_count <= BENCH_INTERRUPTS_MAX,
                  "port: too many interrupts declared");
}

// Allocates memory permanently, aligned to 8. Called at start-up only.
static void *reserve(size_t bytes) {
    static uint64_t memory[MEMORY_BYTES / sizeof(uint64_t)];
    static size_t used;
    const size_t words = (bytes + sizeof(uint64_t) - 1) / sizeof(uint64_t);
    BENCH_REQUIRE(words <= BENCH_COUNT(memory) - used,
                  "port: no memory for the scenario's objects");
    used += words;
    return &memory[used - words];
}

// Allocates a stack that may be an MPU region; its size is from RT_STACK_SIZE. Called at start-up
// only.
static void *reserve_stack(size_t bytes) {
    __attribute__((section(".stack"), aligned(STACKS_BYTES))) static char memory[STACKS_BYTES];
    static size_t used;
    const size_t alignment = (size_t)RT_STACK_ALIGN(bytes);
    const size_t start = (used + alignment - 1) & ~(alignment - 1);
    BENCH_REQUIRE(start + bytes <= sizeof(memory), "port: no memory for the tasks' stacks");
    used = start + bytes;
    return &memory[start];
}

static void create_queue(size_t i) {
    const struct bench_queue_declaration *declared = &bench_scenario.queues[i];
    rt_atomic_uchar *const slots = reserve(declared->capacity * sizeof(*slots));
    void *const messages = reserve((size_t)declared->capacity * declared->message_bytes);
    queues[i] =
        (struct rt_queue)RT_QUEUE_INIT(queues[i], char, declared->capacity, slots, messages);
    queues[i].elem_size = declared->message_bytes;
}

static void create_pool(size_t i) {
    const struct bench_pool_declaration *declared = &bench_scenario.pools[i];
    void **const blocks = reserve(declared->blocks * sizeof(*blocks));
    for (size_t block = 0; block < declared->blocks; block++) {
        blocks[block] = reserve(declared->block_bytes);
    }
    pools[i] = (struct rt_pool)RT_POOL_INIT(pools[i], blocks, declared->blocks);
}

static void create_objects(void) {
    for (size_t i = 0; i < bench_scenario.semaphore_count; i++) {
        const struct bench_semaphore_declaration *declared = &bench_scenario.semaphores[i];
        semaphores[i] =
            (struct rt_sem)RT_SEM_INIT_MAX(semaphores[i], declared->initial, declared->maximum);
    }
    for (size_t i = 0; i < bench_scenario.mutex_count; i++) {
        mutexes[i] = (struct rt_mutex)RT_MUTEX_INIT(mutexes[i]);
    }
    for (size_t i = 0; i < bench_scenario.flags_count; i++) {
        flags[i] = (struct rt_event)RT_EVENT_INIT(flags[i]);
        (void)rt_event_set(&flags[i], bench_scenario.flags[i].initial);
    }
    for (size_t i = 0; i < bench_scenario.queue_count; i++) {
        create_queue(i);
    }
    for (size_t i = 0; i < bench_scenario.pool_count; i++) {
        create_pool(i);
    }
    for (size_t i = 0; i < bench_scenario.condition_count; i++) {
        conditions[i] = (struct rt_cond)RT_COND_INIT(conditions[i]);
    }
    for (size_t i = 0; i < bench_scenario.rwlock_count; i++) {
        rwlocks[i] = (struct rt_rwlock)RT_RWLOCK_INIT(rwlocks[i]);
    }
}

static void run_task(uintptr_t entry) {
    protection_begin_task();
    ((void (*)(void))entry)();
    bench_fail("a task's entry returned");
}

// Starts a task as the kernel's RT_TASK_ARG does in a constructor.
static void start_task(struct rt_task *task, void (*run)(uintptr_t), uintptr_t argument,
                       size_t stack_bytes) {
    task->stack_size = RT_STACK_SIZE(RT_STACK_FP_MIN + stack_bytes);
    task->stack = reserve_stack(task->stack_size);
    task->fn.with_arg = run;
    task->arg = argument;
    task->ctx = rt_context_init(task->fn.uintptr, task->arg, task->stack, task->stack_size);
    protection_confine(task);
    rt_task_init(task);
}

// In rt, 0 is the highest priority, and the idle task has 31.
static void create_task(size_t i) {
    const struct bench_task_declaration *declared = &bench_scenario.tasks[i];
    BENCH_REQUIRE(declared->initially == BENCH_READY, "port: rt's tasks must start ready");
    tasks[i] = (struct rt_task)RT_TASK_INIT(tasks[i], declared->name, declared->priority - 1u);
    start_task(&tasks[i], run_task, (uintptr_t)declared->entry, declared->stack_bytes);
}

// The kernel's timers need a task and a queue of commands, which their user declares. The task has
// the highest priority, so that timers are punctual.
static void create_timers(void) {
    RT_MPU_PRIV_BSS(timer_task)
    static struct rt_task timer_task;
    RT_TIMER_QUEUE_STATIC(commands, TIMER_COMMANDS);
    for (size_t i = 0; i < bench_scenario.timer_count; i++) {
        const struct bench_timer_declaration *declared = &bench_scenario.timers[i];
        timers[i] = (struct rt_timer)RT_TIMER_INIT_ARG(timers[i], &commands, timer_gives,
                                                       declared->semaphore, declared->ticks,
                                                       declared->periodic == 1);
    }
    if (bench_scenario.timer_count != 0) {
        timer_task = (struct rt_task)RT_TASK_INIT(timer_task, "timers", 0);
        start_task(&timer_task, rt_timer_daemon, (uintptr_t)&commands, TIMER_STACK_BYTES);
    }
}

static void bind_interrupt(size_t i) {
    const struct bench_interrupt_declaration *declared = &bench_scenario.interrupts[i];
    BENCH_REQUIRE(declared->action == BENCH_INTERRUPT_POSTS ||
                      declared->action == BENCH_INTERRUPT_HANDLER,
                  "port: rt's interrupts post a semaphore or call a handler");
    lines[i] = bench_interrupt_line_of(i);
    objects[i] = declared->object;
    protection_enable_interrupt(lines[i]);
}

// rt_start enables interrupts again.
_Noreturn void bench_port_start(void) {
    arch_interrupts_off();
    refuse_more_than_fits();
    create_objects();
    for (size_t i = 0; i < bench_scenario.task_count; i++) {
        create_task(i);
    }
    create_timers();
    for (size_t i = 0; i < bench_scenario.interrupt_count; i++) {
        bind_interrupt(i);
    }
    start_exceptions();
    protection_start();
    rt_start();
}
