// SPDX-License-Identifier: MIT
//
// Interrupts requested by software: 16 lines of the NVIC that no device of the board drives.
//
// Line n enters `Interrupt<n>_Handler` (vectors.c), which a port overrides by defining it. A
// request writes the NVIC's pending register, so that it passes through the interrupt controller as
// a device's request does. It does not use SVC, which belongs to the kernel.
//
// Sources: Armv7-M Architecture Reference Manual (DDI 0403E) B3.4 NVIC, B3.2.8 CCR, B3.2.26 STIR,
// B1.4.2 xPSR, B5.2.3 CPS.
#ifndef ARCH_INTERRUPT_H
#define ARCH_INTERRUPT_H

#include <stdbool.h>
#include <stdint.h>

#define ARCH_INTERRUPT_LINES 16u

// The NVIC's number of line 0. On the MPS2 boards, interrupts 16 to 31 are GPIO pins, which nothing
// drives.
#define ARCH_INTERRUPT_FIRST 16u

// The priority of the lines, halfway between the NVIC's highest and lowest: above the exceptions in
// which kernels switch tasks, below the priorities that some kernels cannot mask.
#define ARCH_INTERRUPT_PRIORITY 0x80u

#define ARCH_NVIC_ENABLE ((volatile uint32_t *)0xE000E100u)
#define ARCH_NVIC_PEND ((volatile uint32_t *)0xE000E200u)
#define ARCH_NVIC_PRIORITY ((volatile uint8_t *)0xE000E400u)

#define ARCH_CCR (*(volatile uint32_t *)0xE000ED14u)
#define ARCH_CCR_USERSETMPEND (1u << 1)
#define ARCH_STIR (*(volatile uint32_t *)0xE000EF00u)

// Enables `line`. Called before the kernel starts.
static inline void arch_interrupt_enable(uint32_t line) {
    const uint32_t number = ARCH_INTERRUPT_FIRST + line;
    ARCH_NVIC_PRIORITY[number] = ARCH_INTERRUPT_PRIORITY;
    ARCH_NVIC_ENABLE[number / 32] = 1u << (number % 32);
}

// Requests `line`. The barriers make the request take effect before the next instruction (DDI
// 0403E, A3.7.3): if the line's priority permits, its handler has returned when this function
// returns.
static inline void arch_interrupt_request(uint32_t line) {
    const uint32_t number = ARCH_INTERRUPT_FIRST + line;
    ARCH_NVIC_PEND[number / 32] = 1u << (number % 32);
    __asm__ volatile("dsb\n\tisb" ::: "memory");
}

// Enables a line for kernels that run tasks unprivileged and have no system call to request an
// interrupt. A task then requests it by the software trigger register (STIR), which every task may
// write for every interrupt. STIR takes the number of the interrupt, which saves six instructions
// compared to computing the address and bit of the pending register.
static inline void arch_interrupt_enable_for_unprivileged(uint32_t line) {
    arch_interrupt_enable(line);
    ARCH_CCR |= ARCH_CCR_USERSETMPEND;
}

static inline void arch_interrupt_request_unprivileged(uint32_t line) {
    ARCH_STIR = ARCH_INTERRUPT_FIRST + line;
    __asm__ volatile("dsb\n\tisb" ::: "memory");
}

// Returns whether the caller runs in handler mode: IPSR is the number of the active exception, 0 in
// thread mode.
static inline bool arch_interrupt_active(void) {
    uint32_t ipsr;
    __asm__ volatile("mrs %0, ipsr" : "=r"(ipsr));
    return ipsr != 0;
}

// Masks every interrupt permanently, because the run is about to end.
static inline void arch_interrupts_off(void) {
    __asm__ volatile("cpsid i" ::: "memory");
}

#endif
