// SPDX-License-Identifier: MIT
//
// Functions that the kernel leaves to the application: the table of exceptions, and the tick.
#include <arch/tick.h>

#include <rt/arch/trap.h>
#include <rt/tick.h>

void rt_fault(void); // vectors.S

#define FAULTS_4 rt_fault, rt_fault, rt_fault, rt_fault

// Indexed by mcause. 8 to 11 are environment calls, one for each privilege mode.
void (*const rt_trap_vector[])(void) = {
    FAULTS_4, FAULTS_4, rt_ecall_handler, rt_ecall_handler, rt_fault, rt_ecall_handler, FAULTS_4,
};

void tick(void);
void tick(void) {
    arch_tick_next();
    rt_tick_advance();
}
