// SPDX-License-Identifier: MIT
//
// When PendSV switches: after all interrupts, once.
#ifndef ARCH_SWITCH_H
#define ARCH_SWITCH_H

enum { SWITCH_PRIORITY = 0xFF }; // the lowest

#endif
