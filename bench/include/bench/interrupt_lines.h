// SPDX-License-Identifier: MIT
//
// The line of each declared interrupt and the handlers of these lines, for ports whose handlers
// call the kernel.
//
// The line number encodes the interrupt and its action. A handler therefore knows both at compile
// time, as a driver's handler does: it dispatches nothing and looks up the object only. Not for
// scenarios, and not for interrupts that are delivered to a task, because there no handler calls
// the kernel.
#ifndef BENCH_INTERRUPT_LINES_H
#define BENCH_INTERRUPT_LINES_H

#include <arch/interrupt.h>
#include <bench/scenario.h>

// The maximum number of interrupts: each has four lines, one for each action.
#define BENCH_INTERRUPTS_MAX (ARCH_INTERRUPT_LINES / 4)

static inline uint32_t bench_interrupt_line_of(size_t interrupt) {
    return (uint32_t)(4 * interrupt + bench_scenario.interrupts[interrupt].action);
}

// Define the handlers of all interrupts with one action. Each handler calls `function` with the
// interrupt's index.
#define BENCH_HANDLERS_POST(function) BENCH_HANDLERS(0, 4, 8, 12, function)
#define BENCH_HANDLERS_RESUME(function) BENCH_HANDLERS(1, 5, 9, 13, function)
#define BENCH_HANDLERS_NOTIFY(function) BENCH_HANDLERS(2, 6, 10, 14, function)
#define BENCH_HANDLERS_CALL(function) BENCH_HANDLERS(3, 7, 11, 15, function)

#define BENCH_HANDLERS(first, second, third, fourth, function) \
    BENCH_HANDLER(first, 0, function)                          \
    BENCH_HANDLER(second, 1, function)                         \
    BENCH_HANDLER(third, 2, function)                          \
    BENCH_HANDLER(fourth, 3, function)

#define BENCH_HANDLER(line, interrupt, function) \
    void Interrupt##line##_Handler(void);        \
    void Interrupt##line##_Handler(void) {       \
        function(interrupt);                     \
    }

#endif
