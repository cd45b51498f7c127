// SPDX-License-Identifier: MIT
//
// Injects an interrupt before a chosen instruction, for positions.c. The alarm of device.h counts
// nanoseconds, which in the emulator advance with the instructions. When the alarm comes, this code
// pends an interrupt of the declaration, or handles a tick. The alarm may come at any instruction;
// in the kernel, where interrupts are disabled, it is taken later.
//
// The linker wraps functions of the kernel's board code with the __wrap functions of this file.
// They run in machine mode and write to the test's memory.
#include "injection.h"
#include "device.h"
#include <arch.h>
#include <bulkhead/lines.h>
#include <bulkhead/start.h>

#define PLIC_PRIORITY ((volatile uint32_t *)0x0C000000u)
#define PLIC_ENABLE (*(volatile uint32_t *)0x0C002000u)
#define PLIC_CLAIM (*(volatile uint32_t *)0x0C200004u)

enum { ALARM_LINE = 11, NO_LINE = 0, ARMING_NS = 64 };

static volatile uint32_t bound_line, came_at;
static volatile uint64_t due_ns;

void injection_bind_line(uint32_t line) {
    bound_line = line;
}

void injection_bind_tick(void) {
    bound_line = NO_LINE;
}

void injection_arm(uint32_t position) {
    came_at = 0;
    RTC_IRQ_ENABLED = 1;
    due_ns = clock_ns() + ARMING_NS + position;
    RTC_ALARM_HIGH = (uint32_t)(due_ns >> 32);
    RTC_ALARM_LOW = (uint32_t)due_ns;
}

uint32_t injection_disarm(void) {
    RTC_CLEAR_ALARM = 1;
    return came_at;
}

bool injection_came(void) {
    return came_at != 0;
}

// Returns the address of the interrupted instruction. The path from the alarm to this code always
// takes the same number of instructions; if it took longer, the interrupt was masked, so it came in
// the kernel.
static uint32_t place(void) {
    static uint32_t least_ns = UINT32_MAX;
    const uint32_t late_ns = (uint32_t)(clock_ns() - due_ns);
    uint32_t pc;
    __asm__ volatile("csrr %0, mepc" : "=r"(pc));
    least_ns = late_ns < least_ns ? late_ns : least_ns;
    return late_ns == least_ns ? pc : INJECTION_IN_KERNEL;
}

static void inject(void) {
    came_at = place();
    RTC_CLEAR_INTERRUPT = 1;
    PLIC_CLAIM = ALARM_LINE;
    if (bound_line == NO_LINE) {
        ARCH_TICK_HANDLER();
    } else {
        arch_line_pend(bound_line);
    }
}

void __real_bulkhead_lines_serve(void);
void __wrap_bulkhead_lines_serve(void);
void __wrap_bulkhead_lines_serve(void) {
    if (PLIC_CLAIM == ALARM_LINE) {
        inject();
    }
    __real_bulkhead_lines_serve();
}

_Noreturn void __real_bulkhead_start(void);
_Noreturn void __wrap_bulkhead_start(void);
_Noreturn void __wrap_bulkhead_start(void) {
    PLIC_PRIORITY[ALARM_LINE] = 1;
    PLIC_ENABLE = 1u << ALARM_LINE;
    __real_bulkhead_start();
}
