// SPDX-License-Identifier: MIT
//
// Armv7-M part of witness.c: the watchdog's interrupt, the NMI, calls the witness.
#include "machine_witness.h"
#include "kernel.h"
#include "witness.h"
#include <arch/tick.h>
#include <bench/port.h>
#include <bulkhead/start.h>
#include <machine_guard.h>
#include <machine_places.h>

#define WORD(address) (*(volatile uint32_t *)(uintptr_t)(address))

#define WATCHDOG_LOAD WORD(MACHINE_WATCHDOG)
#define WATCHDOG_CONTROL WORD(MACHINE_WATCHDOG + 8)
#define WATCHDOG_INTERRUPT_CLEAR WORD(MACHINE_WATCHDOG + 12)
#define TIMER_CONTROL WORD(MACHINE_TIMER)
#define TIMER_RELOAD WORD(MACHINE_TIMER + 8)
#define MPU_RNR WORD(0xE000ED98u)
#define MPU_RBAR WORD(0xE000ED9Cu)
#define MPU_RASR WORD(0xE000EDA0u)

enum { DATA_BYTES = 0x8000, CODE_BYTES = 0x20000 };

extern char memory_stack_top[];

const struct witness_range machine_data[] = {
    {(void *)MACHINE_DATA, (void *)(MACHINE_DATA + DATA_BYTES)}};
const struct witness_range machine_code[] = {
    {(void *)MACHINE_CODE, (void *)(MACHINE_CODE + CODE_BYTES)}};
const struct witness_range machine_kernel_stack = {(void *)MACHINE_DATA, memory_stack_top};

// VTOR, CCR, SHPR, SHCSR, CPACR, FPCCR, NVIC, SysTick (DDI 0403E, B3.2 to B3.5).
static const uint32_t system_registers[] = {
    0xE000ED08u, 0xE000ED14u, 0xE000ED18u,       0xE000ED1Cu,    0xE000ED20u, 0xE000ED24u,
    0xE000ED88u, 0xE000E100u, 0xE000E200u,       0xE000E400u,    0xE000E410u, 0xE000E418u,
    0xE000E41Cu, 0xE000E014u, MACHINE_TIMER + 8, UNIT_REGISTERS,
};

uint32_t machine_register_sum(void) {
    uint32_t sum = 0;
    for (uint32_t i = 0; i < BENCH_COUNT(system_registers); i++) {
        sum = witness_add(sum, WORD(system_registers[i]));
    }
    for (uint32_t region = 0; region < 8; region++) {
        MPU_RNR = region;
        sum = witness_add(witness_add(sum, MPU_RBAR), MPU_RASR);
    }
    MPU_RNR = UNIT_REGION_SELECTED;
    return sum;
}

// Stops the clocks of the tick and of the guard, so that the witness takes no time of the tested
// system.
static void stop_clocks(void) {
    ARCH_SYSTICK_CONTROL = 0;
    TIMER_CONTROL = 0;
}

// Starts both clocks at the beginning of a period, so that they count together (guard.c).
static void start_clocks(void) {
    TIMER_RELOAD = GUARD_PERIOD_COUNTS - 1;
    TIMER_VALUE = GUARD_PERIOD_COUNTS - 1;
    arch_tick_start(BENCH_TICK_HZ, BULKHEAD_EXCEPTION_PRIORITY);
    TIMER_CONTROL = 1;
}

// The watchdog would start again one count after its interrupt is cleared, so the handler stops it
// first.
void NMI_Handler(void);
void NMI_Handler(void) {
    WATCHDOG_LOAD = UINT32_MAX;
    WATCHDOG_CONTROL = 0;
    WATCHDOG_INTERRUPT_CLEAR = 0;
    stop_clocks();
    witness_look();
    start_clocks();
}

_Noreturn void bench_port_start(void) {
    MACHINE_OPEN_DEVICES();
    start_clocks();
    bulkhead_start();
}
