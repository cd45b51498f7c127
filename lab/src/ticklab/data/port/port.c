// SPDX-License-Identifier: MIT
//
// The porting contract (bench/port.h) on $name.
//
// Until the kernel is in, the scenario's only task is called, under a tick that counts and does
// nothing else: what needs a service is unsupported.
#include <arch/tick.h>
#include <bench/port.h>

enum { TICK_PRIORITY = 0xFF };

static volatile uint32_t ticks;

void SysTick_Handler(void);
void SysTick_Handler(void) {
    ticks++; // the kernel's tick takes its place
}

uint32_t bench_ticks(void) {
    return ticks;
}

struct bench_task bench_task_self(void) {
    return (struct bench_task){0};
}

// Creates what bench_scenario declares, starts the tick and the kernel, and does not return.
_Noreturn void bench_port_start(void) {
    BENCH_REQUIRE(bench_scenario.task_count == 1, "port: without a kernel there is one task");
    arch_tick_start(BENCH_TICK_HZ, TICK_PRIORITY);
    bench_scenario.tasks[0].entry();
    bench_fail("a task's entry returned");
}
