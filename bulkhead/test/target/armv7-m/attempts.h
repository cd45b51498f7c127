// SPDX-License-Identifier: MIT
//
// Armv7-M part of the test `isolation`: the instructions with which the hostile process (the
// suspect) attacks, and addresses of registers that no thread may access.
#ifndef ATTEMPTS_H
#define ATTEMPTS_H

#include <stdint.h>
#include <unit_attempts.h>

#define JUMP_BITS 1u // bits to set in the address of a function before a branch to it: Thumb state

// A thread's attempt to mask interrupts has no effect.
#define MASK_OUTCOME SURVIVES

// A write to a privileged register has no effect; the read that follows faults.
#define ESCALATE_KIND BULKHEAD_FAULT_DATA
#define UNDEFINED_REGISTER r4_to_r11[6]
// The processor could not push the program counter, so no fault report has it.
#define STACK_FAULT_LOSES_PC true

#define SYSTEM_ROWS                                                                              \
    {"write MPU_CTRL", WRITE, 0xE000ED94u, FAULTS},                                              \
        {"write MPU_RBAR", WRITE, 0xE000ED9Cu, FAULTS},                                          \
        {"write VTOR", WRITE, 0xE000ED08u, FAULTS}, {"write SHCSR", WRITE, 0xE000ED24u, FAULTS}, \
        {"write NVIC_ISER", WRITE, 0xE000E100u, FAULTS},                                         \
        {"write NVIC_ISPR", WRITE, 0xE000E200u, FAULTS},                                         \
        {"write STIR", WRITE, 0xE000EF00u, FAULTS},                                              \
        {"write SysTick's control", WRITE, 0xE000E010u, FAULTS},                                 \
        {"read a device", READ, 0x40000000u, FAULTS},                                            \
        {"return from no exception", JUMP, 0xFFFFFFFCu, FAULTS}, UNIT_ROWS

// Makes a null call from a stack that the processor cannot use.
static inline void call_from(uint32_t stack_pointer) {
    __asm__ volatile("mov r4, sp\n\t"
                     "mov sp, %0\n\t"
                     "movs r1, #0\n\t"
                     "movs r2, #0\n\t"
                     "svc 0\n\t"
                     "mov sp, r4"
                     :
                     : "r"(stack_pointer)
                     : "r0", "r1", "r2", "r4", "memory");
}

static inline void stop_at_breakpoint(void) {
    __asm__ volatile("bkpt #1");
}

static inline void mask_interrupts(void) {
    __asm__ volatile("cpsid i\n\tcpsid f");
}

static inline void run_undefined(uint32_t value) {
    __asm__ volatile("mov r10, %0\n\tudf #0" : : "r"(value) : "r10");
}

static inline void escalate(void) {
    __asm__ volatile("msr control, %0\n\tisb" : : "r"(0) : "memory");
}

#endif
