// SPDX-License-Identifier: MIT
//
// Stops the system when a sanity check fails. It is a file of its own, so that a test or a product
// can replace it.
#include "checks.h"

_Noreturn void kernel_inconsistent(const char *invariant) {
    (void)invariant;
    arch_panic();
}
