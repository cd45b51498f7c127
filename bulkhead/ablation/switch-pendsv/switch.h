// SPDX-License-Identifier: MIT
//
// When PendSV switches: before any other interrupt of the kernel's priority, since its number is
// the lowest of them (DDI 0403E, B1.5.4). A thread that has decided to wait is switched from before
// an interrupt can find it running.
#ifndef ARCH_SWITCH_H
#define ARCH_SWITCH_H

#include <bulkhead/start.h>

enum { SWITCH_PRIORITY = BULKHEAD_EXCEPTION_PRIORITY };

#endif
