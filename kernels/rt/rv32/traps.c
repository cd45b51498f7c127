// SPDX-License-Identifier: MIT
//
// What the kernel leaves to its user: which exception goes where, and the tick.
#include <arch/tick.h>

#include <rt/arch/trap.h>
#include <rt/tick.h>

void rt_fault(void); // vectors.S

#define FAULTS_4 rt_fault, rt_fault, rt_fault, rt_fault

// By mcause; 8 to 11 are environment calls, from the modes in turn.
void (*const rt_trap_vector[])(void) = {
    FAULTS_4, FAULTS_4, rt_ecall_handler, rt_ecall_handler, rt_fault, rt_ecall_handler, FAULTS_4,
};

void tick(void);
void tick(void) {
    arch_tick_next();
    rt_tick_advance();
}
