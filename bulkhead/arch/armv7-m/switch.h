// SPDX-License-Identifier: MIT
//
// The time at which PendSV switches: once, after all interrupts.
#ifndef ARCH_SWITCH_H
#define ARCH_SWITCH_H

enum { SWITCH_PRIORITY = 0xFF }; // the lowest

#endif
