// SPDX-License-Identifier: MIT
//
// The interface for start-up code, which is privileged. The declaration contains the whole system,
// so there is one function.
#ifndef BULKHEAD_START_H
#define BULKHEAD_START_H

// The exception priority of system calls, the tick and the interrupts that the kernel serves. The
// timer of the tick belongs to the board: the code that starts it sets this priority.
#define BULKHEAD_EXCEPTION_PRIORITY 0x40u

// Starts every thread as declared. Call it on the main stack, after the tick is started, with
// interrupts as after reset.
_Noreturn void bulkhead_start(void);

#endif
