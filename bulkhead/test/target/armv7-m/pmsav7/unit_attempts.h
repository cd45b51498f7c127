// SPDX-License-Identifier: MIT
//
// For attempts.h: what only a core of Armv8-M has (target/armv8-m), and this core has not.
#ifndef UNIT_ATTEMPTS_H
#define UNIT_ATTEMPTS_H

#define UNIT_ROWS
#define STACK_LIMIT_STATUS 0u // the processor checks no limit of a stack

#endif
