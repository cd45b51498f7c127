// SPDX-License-Identifier: MIT
//
// RV32 part of the test `isolation`: the instructions with which the hostile process (the suspect)
// attacks, and addresses of registers that no thread may access. An access to a machine-mode CSR,
// even a read, is an undefined instruction in user mode.
#ifndef ATTEMPTS_H
#define ATTEMPTS_H

#include <bulkhead/bulkhead.h>

#define JUMP_BITS 0u
#define MASK_OUTCOME FAULTS
#define ESCALATE_KIND BULKHEAD_FAULT_INSTRUCTION
#define UNDEFINED_REGISTER s2_to_s11[8]
#define STACK_FAULT_LOSES_PC false
#define STACK_LIMIT_STATUS 0u // no fault status: RV32 has no stack limit register

// The kernel's code that reads from addresses that threads pass (copy.S). A fault of the copy is
// reported with a program counter in this code.
extern char arch_copy_in[];

#define SYSTEM_ROWS                                                                                \
    {"run what copies for threads", JUMP, (uintptr_t)arch_copy_in, FAULTS},                        \
        {"request a software interrupt", WRITE, 0x02000000u, FAULTS},                              \
        {"write mtimecmp", WRITE, 0x02004000u, FAULTS}, {"read mtime", READ, 0x0200BFF8u, FAULTS}, \
        {"write a priority of the PLIC", WRITE, 0x0C000028u, FAULTS},                              \
        {"claim an interrupt", READ, 0x0C200004u, FAULTS},                                         \
        {"read a device", READ, 0x10000004u, FAULTS}, {"end the run", WRITE, 0x00100000u, FAULTS}, \
        {"run what follows the code that is for all", JUMP, (uintptr_t)&bulkhead_page + 32,        \
         FAULTS},

// Makes a system call with an invalid stack pointer. The call needs no stack, so it succeeds; the
// next store of the thread to its stack faults.
static inline void call_from(uint32_t stack_pointer) {
    __asm__ volatile("mv s1, sp\n\t"
                     "mv sp, %0\n\t"
                     "li a0, 0\n\t"
                     "li a1, 0\n\t"
                     "ecall\n\t"
                     "sw zero, 0(sp)\n\t"
                     "mv sp, s1"
                     :
                     : "r"(stack_pointer)
                     : "s1", "a0", "a1", "a2", "a3", BULKHEAD_WORDS_CLOBBERED);
}

static inline void stop_at_breakpoint(void) {
    __asm__ volatile("ebreak");
}

static inline void mask_interrupts(void) {
    __asm__ volatile("csrci mstatus, 8");
}

static inline void run_undefined(uint32_t value) {
    __asm__ volatile("mv s10, %0\n\tunimp" : : "r"(value) : "s10");
}

static inline void escalate(void) {
    __asm__ volatile("csrs mstatus, %0\n\tmret" : : "r"(0x1800) : "memory");
}

#endif
