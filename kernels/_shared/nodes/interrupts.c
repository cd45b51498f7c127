// SPDX-License-Identifier: MIT
//
// Service `node-interrupt` of the porting contract, for kernels that are built with devices/on: the
// device is the console of the node on which a task requests the interrupt (arch/interrupt.h). The
// line of the device determines the declared interrupt, whose declaration names the semaphore. The
// requesting task writes to the device itself, so it must run in machine mode.
#include <arch/interrupt.h>
#include <bench/interrupt_lines.h>
#include <bench/port.h>
#include <bulkhead/nodes.h>

void bench_interrupt_trigger(struct bench_interrupt interrupt) {
    arch_interrupt_request(bench_interrupt_line_of(interrupt.index));
}

void nodes_devices_start(void) {
    for (size_t i = 0; i < bench_scenario.interrupt_count; i++) {
        BENCH_REQUIRE(bench_scenario.interrupts[i].action == BENCH_INTERRUPT_POSTS,
                      "port: an interrupt gives no semaphore");
        arch_interrupt_enable(bench_interrupt_line_of(i));
    }
}

// Clears the device's request before the semaphore is given, so that the device does not interrupt
// again. Interrupts are masked until the kernel returns to a task.
uint32_t nodes_device(void) {
    const uint32_t claim = ARCH_WORD(ARCH_PLIC_CLAIM);
    if (claim == 0) {
        return NODES_SEMAPHORES;
    }
    const uint32_t line = ARCH_BYTE(ARCH_UART_SCR);
    ARCH_BYTE(ARCH_UART_IER) = 0;
    ARCH_WORD(ARCH_PLIC_CLAIM) = claim;
    return bench_scenario.interrupts[line / (ARCH_INTERRUPT_LINES / BENCH_INTERRUPTS_MAX)].object;
}
