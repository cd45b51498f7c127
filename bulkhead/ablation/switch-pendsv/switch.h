// SPDX-License-Identifier: MIT
//
// The time at which PendSV switches: before any other interrupt of the kernel's priority, because
// its exception number is the lowest of them (DDI 0403E, B1.5.4). So the kernel switches from a
// thread that blocks before another interrupt can find that thread running.
#ifndef ARCH_SWITCH_H
#define ARCH_SWITCH_H

#include <bulkhead/start.h>

enum { SWITCH_PRIORITY = BULKHEAD_EXCEPTION_PRIORITY };

#endif
