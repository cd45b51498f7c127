// SPDX-License-Identifier: MIT
//
// The modes of the processor, as the field M of CPSR has them (Armv7-A Architecture Reference
// Manual, DDI 0406C, B1.3.1). For C and for assembler.
#ifndef ARCH_MODES_H
#define ARCH_MODES_H

#define ARCH_MODE_USER 0x10
#define ARCH_MODE_FIQ 0x11
#define ARCH_MODE_IRQ 0x12
#define ARCH_MODE_SUPERVISOR 0x13
#define ARCH_MODE_ABORT 0x17
#define ARCH_MODE_UNDEFINED 0x1b
#define ARCH_MODE_SYSTEM 0x1f

#endif
