// SPDX-License-Identifier: MIT
//
// Gives PendSV, which switches threads, the lowest priority: it switches once, after all
// interrupts.
#ifndef ARCH_SWITCH_H
#define ARCH_SWITCH_H

enum { SWITCH_PRIORITY = 0xFF }; // the lowest priority

#endif
