// SPDX-License-Identifier: MIT
//
// Runs a declared scenario on an existing Thread-Metric port (kernel.toml: interface =
// "thread-metric").
//
// This file passes the scenario's table to the official creation services, so that a scenario is
// written once, for the contract and for such ports. The interface cannot create mutexes, processes
// and some other objects; a scenario that declares them also needs services that the interface
// lacks, so it is never built for such a port.
#include <bench/port.h>
#include <thread_metric/tm_api.h>

static void created(int status) {
    BENCH_REQUIRE(status == TM_SUCCESS, "the port could not create what the scenario declares");
}

static void create_objects(void) {
    for (size_t i = 0; i < bench_scenario.queue_count; i++) {
        created(tm_queue_create((int)i));
    }
    for (size_t i = 0; i < bench_scenario.semaphore_count; i++) {
        created(tm_semaphore_create((int)i));
    }
    for (size_t i = 0; i < bench_scenario.pool_count; i++) {
        created(tm_memory_pool_create((int)i));
    }
}

// Creates the objects and threads before it resumes the first thread: if the port's kernel already
// runs, a resumed thread may run at once.
static void create_declared(void) {
    create_objects();
    for (size_t i = 0; i < bench_scenario.task_count; i++) {
        const struct bench_task_declaration *declared = &bench_scenario.tasks[i];
        created(tm_thread_create((int)i, declared->priority, declared->entry));
    }
    for (size_t i = 0; i < bench_scenario.task_count; i++) {
        if (bench_scenario.tasks[i].initially == BENCH_READY) {
            created(tm_thread_resume((int)i));
        }
    }
}

// The port's interrupt calls one of these handlers, or both, because no official test uses both.
void tm_interrupt_handler(void) {
    const struct bench_interrupt_declaration *declared = bench_scenario.interrupts;
    if (declared->action == BENCH_INTERRUPT_POSTS) {
        tm_semaphore_put(declared->object);
    }
}

void tm_interrupt_preemption_handler(void) {
    const struct bench_interrupt_declaration *declared = bench_scenario.interrupts;
    if (declared->action == BENCH_INTERRUPT_RESUMES) {
        tm_thread_resume(declared->object);
    }
}

// As the official main function, which ends when tm_initialize returns: where the kernel made the
// caller a thread, the other threads run beside it. Where the kernel did not start, no mark is
// passed, and the run ends as stalled in this function.
static __attribute__((noinline)) _Noreturn void idle_after_tm_initialize_returned(void) {
    for (;;) {
    }
}

_Noreturn void bench_port_start(void) {
    tm_initialize(create_declared);
    idle_after_tm_initialize_returned();
}
