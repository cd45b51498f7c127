// SPDX-License-Identifier: MIT
//
// Shared by the proofs of `unprivileged`. In each, the kernel starts, wakes or calls the scenario's
// code in another way; none of them may leave that code privileged.
#ifndef CONFORMANCE_UNPRIVILEGED_H
#define CONFORMANCE_UNPRIVILEGED_H

#include "conformance.h"

#include <arch/privilege.h>

static inline void require_unprivileged(void) {
    BENCH_REQUIRE(!arch_privileged(), "unprivileged: code of the scenario runs privileged");
}

#endif
