// SPDX-License-Identifier: MIT
//
// Definitions for the guests of the observer's tests: marks, and the registers of the system
// control space (DDI 0403E, B3). Each guest defines `guest` and the handlers that it needs; start.c
// defines the rest.
//
// Every handler begins with a mark named after it, so the log shows each entry on its own.
#ifndef GUEST_H
#define GUEST_H

#include <bench/mark.h>
#include <stdint.h>

#define REGISTER(address) (*(volatile uint32_t *)(address))
#define SYST_CSR REGISTER(0xE000E010)
#define SYST_RVR REGISTER(0xE000E014)
#define SYST_CVR REGISTER(0xE000E018)
#define NVIC_ISER REGISTER(0xE000E100)
#define NVIC_ISPR REGISTER(0xE000E200)
#define NVIC_IPR(irq) (*(volatile uint8_t *)(0xE000E400 + (irq)))
#define ICSR REGISTER(0xE000ED04)
#define ICSR_PENDSVSET (1u << 28)
#define VTOR REGISTER(0xE000ED08)
#define SCR REGISTER(0xE000ED10)
#define CCR REGISTER(0xE000ED14)
#define CCR_DIV_0_TRP (1u << 4)
#define SHPR(exception) (*(volatile uint8_t *)(0xE000ED14 + (exception)))
#define SHCSR REGISTER(0xE000ED24)
#define SHCSR_ALL_FAULTS (7u << 16)
#define CPACR REGISTER(0xE000ED88)
#define STIR REGISTER(0xE000EF00)

#define BARRIER() __asm__ volatile("dsb\n\tisb" ::: "memory")
#define SUPERVISOR_CALL() __asm__ volatile("svc 0" ::: "memory")

// Index of the return address in the frame that the processor stacked, for handlers without a
// prologue.
#define STACKED_PC 6
#define NAKED __attribute__((naked))

void guest(void);

static inline void enable_irq(unsigned irq, uint8_t priority) {
    NVIC_IPR(irq) = priority;
    NVIC_ISER = 1u << irq;
}

// Pends an interrupt by software. It is taken before the next instruction if its priority permits.
static inline void pend_irq(unsigned irq) {
    STIR = irq;
    BARRIER();
}

#endif
