// SPDX-License-Identifier: MIT
//
// Included by attempts.h: attacks that only Armv8-M cores need (target/armv8-m/unit_attempts.h). On
// Armv7-M there is nothing to try.
#ifndef UNIT_ATTEMPTS_H
#define UNIT_ATTEMPTS_H

#include <stdint.h>

static inline void store_floats_later(volatile uint32_t *address) {
    (void)address;
}

#define UNIT_ROWS
#define STACK_LIMIT_STATUS 0u // no fault status: Armv7-M has no stack limit register

#endif
