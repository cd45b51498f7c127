// SPDX-License-Identifier: MIT
//
// What the proofs of `unprivileged` share. Each lets the kernel begin, wake or call the scenario's
// code in another way: none may leave it the processor's privileges.
#ifndef CONFORMANCE_UNPRIVILEGED_H
#define CONFORMANCE_UNPRIVILEGED_H

#include "conformance.h"

#include <arch/privilege.h>

static inline void require_unprivileged(void) {
    BENCH_REQUIRE(!arch_privileged(), "unprivileged: code of the scenario runs privileged");
}

#endif
