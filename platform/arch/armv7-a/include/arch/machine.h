// SPDX-License-Identifier: MIT
//
// The interrupt controller of QEMU's `virt` machine (hw/arm/virt.c), a GICv2: the distributor and
// the interface to the processor. For C and for assembler.
//
// Source: Arm Generic Interrupt Controller Architecture Specification (IHI 0048B), 4.3 and 4.4.
#ifndef ARCH_MACHINE_H
#define ARCH_MACHINE_H

#define ARCH_GICD 0x08000000
#define ARCH_GICC 0x08010000

#define ARCH_GICD_CTLR (ARCH_GICD + 0x000)
#define ARCH_GICD_ISENABLER0 (ARCH_GICD + 0x100)
#define ARCH_GICD_IPRIORITYR (ARCH_GICD + 0x400)
#define ARCH_GICD_SGIR (ARCH_GICD + 0xf00)

#define ARCH_GICC_CTLR (ARCH_GICC + 0x000)
#define ARCH_GICC_PMR (ARCH_GICC + 0x004)
#define ARCH_GICC_BPR (ARCH_GICC + 0x008)
#define ARCH_GICC_IAR (ARCH_GICC + 0x00c)
#define ARCH_GICC_EOIR (ARCH_GICC + 0x010)

// The fields of GICC_IAR and GICD_SGIR.
#define ARCH_GIC_INTERRUPT 0x3ff      // number
#define ARCH_GICD_SGIR_SELF (2 << 24) // request for the processor that writes

// The priority mask that masks no interrupt. QEMU's model implements all eight bits of a priority.
#define ARCH_GIC_LOWEST_PRIORITY 0xff

// The interrupt of the virtual timer, a private one of the processor.
#define ARCH_TIMER_INTERRUPT 27

#ifndef __ASSEMBLER__
#include <stdint.h>

#define ARCH_WORD(address) (*(volatile uint32_t *)(address))
#define ARCH_BYTE(address) (*(volatile uint8_t *)(address))
#endif

#endif
