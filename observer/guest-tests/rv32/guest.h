// SPDX-License-Identifier: MIT
//
// Definitions for the observer's RV32 guests: marks and the registers of QEMU's `virt` machine.
// Each guest defines `guest` and `trap`; start.S defines the rest.
#ifndef GUEST_H
#define GUEST_H

#include <bench/mark.h>
#include <stdint.h>

#define REGISTER(address) (*(volatile uint32_t *)(address))
#define SOFTWARE_INTERRUPT REGISTER(0x02000000)
#define TIME_COMPARE_LOW REGISTER(0x02004000)
#define TIME_COMPARE_HIGH REGISTER(0x02004004)
#define TIME REGISTER(0x0200BFF8)

#define INTERRUPT (1u << 31)
enum { ILLEGAL = 2, LOAD_FAULT = 5, STORE_FAULT = 7, CALL = 11 };
enum { SOFTWARE = 3, TIMER = 7 };

#define SUPERVISOR_CALL() __asm__ volatile("ecall" ::: "memory")
#define ENABLE(interrupts) __asm__ volatile("csrs mie, %0" ::"r"(interrupts))
#define UNMASK() __asm__ volatile("csrsi mstatus, 8" ::: "memory")

void guest(void);
uint32_t trap(uint32_t cause, uint32_t pc);

// Each trap begins with this mark, so the log shows each entry on its own.
#define TRAPPED() BENCH_MARK("trapped")

#endif
