// SPDX-License-Identifier: MIT
//
// No kernel: calls the scenario's only task while a tick counts.
//
// It shows the cost of the harness itself. It provides no service, and a scenario that needs a
// service is never built for it.
#include <bench/port.h>
#include <start.h>

static volatile uint32_t ticks;

void SysTick_Handler(void);
void SysTick_Handler(void) {
    ticks++;
}

uint32_t bench_ticks(void) {
    return ticks;
}

struct bench_task bench_task_self(void) {
    return (struct bench_task){0};
}

_Noreturn void bench_port_start(void) {
    BENCH_REQUIRE(bench_scenario.task_count == 1, "port: the null kernel runs only one task");
    start_tick();
    bench_scenario.tasks[0].entry();
    bench_fail("a task's entry returned");
}
