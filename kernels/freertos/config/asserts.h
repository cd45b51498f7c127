// SPDX-License-Identifier: MIT
//
// The kernel checks its arguments and its own state, as the manual recommends during development. A
// failed check ends the run.
#ifndef FREERTOS_CONFIG_ASSERTS_H
#define FREERTOS_CONFIG_ASSERTS_H

#include "default.h"

#ifndef __ASSEMBLER__
_Noreturn void bench_fail(const char *reason);
#endif

#define configASSERT(condition)                      \
    do {                                             \
        if (!(condition)) {                          \
            bench_fail("configASSERT: " #condition); \
        }                                            \
    } while (0)

#endif
