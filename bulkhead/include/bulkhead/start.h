// SPDX-License-Identifier: MIT
//
// For start-up code, which is privileged: everything is in the declaration, so there is one thing
// to do.
#ifndef BULKHEAD_START_H
#define BULKHEAD_START_H

// The priority of system calls, the tick and the interrupts that the kernel serves. The tick's
// timer is the board's: whoever starts it gives it this.
#define BULKHEAD_EXCEPTION_PRIORITY 0x40u

// Starts every thread as declared, on the processor's main stack, interrupts as after reset. The
// caller starts the tick before.
_Noreturn void bulkhead_start(void);

#endif
