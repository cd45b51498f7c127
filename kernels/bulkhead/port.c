// SPDX-License-Identifier: MIT
//
// The porting contract (bench/port.h) on Bulkhead.
//
// generate.py creates the kernel's objects from the scenario's declaration, so the port creates
// nothing and looks up nothing. A handle is the first handle of its kind plus the contract's index.
// The first handles are compile-time constants from the declaration, as in every program for this
// kernel (the generated user_objects.c includes this file). This code is linked with the scenario
// and runs unprivileged; start.c has the privileged code. The kernel's result codes have the
// numbers of the contract's.
#include <bench/port.h>

#include PORT_OBJECTS
#include <bulkhead/fault.h>

_Static_assert((int)BULKHEAD_OK == (int)BENCH_OK, "results are passed through");
_Static_assert((int)BULKHEAD_TIMED_OUT == (int)BENCH_TIMED_OUT, "results are passed through");
_Static_assert((int)BULKHEAD_REFUSED == (int)BENCH_REFUSED, "results are passed through");
_Static_assert((int)BULKHEAD_DENIED == (int)BENCH_DENIED, "results are passed through");
_Static_assert((int)BULKHEAD_PEER_LOST == (int)BENCH_PEER_LOST, "results are passed through");
_Static_assert(BULKHEAD_FOREVER == BENCH_FOREVER, "timeouts are passed through");

// Generated from the scenario's declaration (generate.py).
extern const uint32_t bulkhead_identities[];

// --- Tasks ---------------------------------------------------------------------------------------

enum bench_status bench_task_create(struct bench_task task) {
    return (enum bench_status)bulkhead_start_thread(THREAD_HANDLES + task.index);
}

_Noreturn void bench_task_exit(void) {
    bulkhead_exit();
}

void bench_task_yield(void) {
    bulkhead_yield();
}

enum bench_status bench_task_suspend(struct bench_task task) {
    return (enum bench_status)bulkhead_suspend(THREAD_HANDLES + task.index);
}

enum bench_status bench_task_resume(struct bench_task task) {
    return (enum bench_status)bulkhead_resume(THREAD_HANDLES + task.index);
}

void bench_task_delay(uint32_t ticks) {
    bulkhead_delay(ticks);
}

struct bench_task bench_task_self(void) {
    uint32_t index = 0;
    while (bulkhead_identities[index] != bulkhead_page.self) {
        index++;
    }
    return (struct bench_task){index};
}

// In the contract the highest priority is 1, in the kernel 0.
enum bench_status bench_task_set_priority(struct bench_task task, uint32_t priority) {
    return (enum bench_status)bulkhead_set_priority(THREAD_HANDLES + task.index, priority - 1);
}

uint32_t bench_ticks(void) {
    return bulkhead_page.ticks;
}

void bench_task_delay_until(uint32_t *wake, uint32_t period) {
    *wake += period;
    (void)bulkhead_delay_until(*wake);
}

// --- Objects -------------------------------------------------------------------------------------

enum bench_status bench_semaphore_take(struct bench_semaphore semaphore, uint32_t timeout_ticks) {
    return (enum bench_status)bulkhead_semaphore_take(SEMAPHORE(semaphore.index), timeout_ticks);
}

enum bench_status bench_semaphore_give(struct bench_semaphore semaphore) {
    return (enum bench_status)bulkhead_semaphore_give(SEMAPHORE(semaphore.index));
}

enum bench_status bench_mutex_lock(struct bench_mutex mutex, uint32_t timeout_ticks) {
    return (enum bench_status)bulkhead_mutex_lock(MUTEX(mutex.index), timeout_ticks);
}

enum bench_status bench_mutex_unlock(struct bench_mutex mutex) {
    return (enum bench_status)bulkhead_mutex_unlock(MUTEX(mutex.index));
}

enum bench_status bench_flags_wait_all(struct bench_flags flags, uint32_t bits,
                                       uint32_t timeout_ticks) {
    return (enum bench_status)bulkhead_flags_take_all(FLAGS(flags.index), &bits, timeout_ticks);
}

enum bench_status bench_flags_set(struct bench_flags flags, uint32_t bits) {
    return (enum bench_status)bulkhead_flags_set(FLAGS(flags.index), bits);
}

enum bench_status bench_queue_send(struct bench_queue queue, const void *message,
                                   uint32_t timeout_ticks) {
    return (enum bench_status)bulkhead_queue_send(QUEUE(queue.index), message, timeout_ticks);
}

enum bench_status bench_queue_receive(struct bench_queue queue, void *message,
                                      uint32_t timeout_ticks) {
    return (enum bench_status)bulkhead_queue_receive(QUEUE(queue.index), message, timeout_ticks);
}

enum bench_status bench_notify(struct bench_task task) {
    return (enum bench_status)bulkhead_notify(THREAD_HANDLES + task.index);
}

enum bench_status bench_notification_wait(uint32_t timeout_ticks) {
    return (enum bench_status)bulkhead_notification_wait(timeout_ticks);
}

enum bench_status bench_pool_allocate(struct bench_pool pool, void **block) {
    return (enum bench_status)bulkhead_pool_allocate(POOL(pool.index), block, BULKHEAD_NO_WAIT);
}

enum bench_status bench_pool_free(struct bench_pool pool, void *block) {
    return (enum bench_status)bulkhead_pool_free(POOL(pool.index), block);
}

// --- Timers --------------------------------------------------------------------------------------

enum bench_status bench_timer_start(struct bench_timer timer) {
    const struct bench_timer_declaration *declared = &bench_scenario.timers[timer.index];
    return (enum bench_status)bulkhead_timer_start(TIMER_HANDLES + timer.index, declared->ticks,
                                                   declared->periodic ? declared->ticks : 0);
}

enum bench_status bench_timer_stop(struct bench_timer timer) {
    return (enum bench_status)bulkhead_timer_stop(TIMER_HANDLES + timer.index);
}

// --- Interrupts ----------------------------------------------------------------------------------

// A thread cannot write to the interrupt controller. The kernel pends the interrupt for a thread
// that has the right to do so.
void bench_interrupt_trigger(struct bench_interrupt interrupt) {
    bulkhead_interrupt_pend(INTERRUPT_HANDLES + interrupt.index);
}

enum bench_status bench_interrupt_wait(struct bench_interrupt interrupt, uint32_t timeout_ticks) {
    return (enum bench_status)bulkhead_interrupt_wait(INTERRUPT_HANDLES + interrupt.index,
                                                      timeout_ticks);
}

// generate.py declares the scenario's interrupts with the same lines.
uint32_t bench_interrupt_line(struct bench_interrupt interrupt) {
    return interrupt.index;
}

// --- Processes -----------------------------------------------------------------------------------

enum bench_status bench_call(struct bench_gate gate, uint32_t words[4]) {
    return (enum bench_status)bulkhead_gate_call(GATE_HANDLES + gate.index, words,
                                                 BULKHEAD_FOREVER);
}

// The server of a gate: calls the gate's function for one caller after another.
static inline __attribute__((unused)) _Noreturn void serve(uint32_t gate,
                                                           void (*function)(uint32_t words[4])) {
    uint32_t words[4] = {0};
    for (;;) {
        uint32_t caller;
        const enum bulkhead_result result =
            bulkhead_gate_receive(gate, words, &caller, BULKHEAD_FOREVER);
        BENCH_REQUIRE(result == BULKHEAD_OK, "a server received no call");
        function(words);
    }
}

// Reads the number of faults from the fault report of the process's supervisor. generate.py
// declares a supervisor for each process except the first.
uint32_t bench_process_faults(uint32_t process) {
    struct bulkhead_fault report;
    const enum bulkhead_result result = bulkhead_fault_read(PROCESS_HANDLES + process - 1, &report);
    return result == BULKHEAD_OK ? report.faults : 0;
}

enum bench_status bench_null_call(void) {
    bulkhead_null_call();
    return BENCH_OK;
}
