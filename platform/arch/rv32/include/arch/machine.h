// SPDX-License-Identifier: MIT
//
// The registers that node 0 of rtl/ and QEMU's `virt` machine (hw/riscv/virt.c) have in common. For
// C and for assembler.
#ifndef ARCH_MACHINE_H
#define ARCH_MACHINE_H

// The SiFive test device: a store to it ends the run.
#define ARCH_FINISHER 0x00100000

// The core-local interruptor of hart 0. On the boards, mtime counts 250,000 times per tick
// (board.toml).
#define ARCH_MTIMECMP 0x02004000
#define ARCH_MTIME 0x0200bff8

// The platform-level interrupt controller: registers of the console's interrupt, for hart 0 in
// machine mode.
#define ARCH_PLIC_PRIORITY 0x0c000028
#define ARCH_PLIC_ENABLE 0x0c002000
#define ARCH_PLIC_CLAIM 0x0c200004
#define ARCH_PLIC_CONSOLE 10

// The 16550's transmitter, interrupt enables and scratch register, each one byte.
#define ARCH_UART_THR 0x10000000
#define ARCH_UART_IER 0x10000001
#define ARCH_UART_SCR 0x10000007
#define ARCH_UART_IER_ETBEI 2 // requests an interrupt while the transmitter is empty

// mcause of an interrupt is its number with bit 31 set. These are the bits of mie and mip (RISC-V
// Privileged Architecture 20211203, 3.1.9).
#define ARCH_MIE_TIMER (1 << 7)
#define ARCH_MIE_EXTERNAL (1 << 11)

#define ARCH_MSTATUS_MIE 8

#ifndef __ASSEMBLER__
#include <stdint.h>

#define ARCH_WORD(address) (*(volatile uint32_t *)(address))
#define ARCH_BYTE(address) (*(volatile uint8_t *)(address))
#endif

#endif
