// SPDX-License-Identifier: MIT
//
// What a check that fails ends in: a file of its own, so that a test, or a product, can put another
// in its place.
#include "checks.h"

_Noreturn void kernel_inconsistent(uint32_t line) {
    (void)line; // for the debugger
    arch_panic();
}
