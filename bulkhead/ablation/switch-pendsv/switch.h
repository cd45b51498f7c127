// SPDX-License-Identifier: MIT
//
// Gives PendSV, which switches threads, the priority of the kernel's interrupts. Its exception
// number is the lowest of them, so it is taken before any other pending one (DDI 0403E, B1.5.4):
// the kernel switches from a thread that blocks before another interrupt can find that thread
// running.
#ifndef ARCH_SWITCH_H
#define ARCH_SWITCH_H

#include <bulkhead/start.h>

enum { SWITCH_PRIORITY = BULKHEAD_EXCEPTION_PRIORITY };

#endif
