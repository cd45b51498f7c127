// SPDX-License-Identifier: MIT
//
// Calls a kernel whose lists are corrupted at a tick (spoiler.c): the sanity checks must stop it.
#include "report.h"
#include <bulkhead/bulkhead.h>

enum { ENOUGH_TICKS = 50 };

void caller_main(void);
void caller_main(void) {
    while (bulkhead_page.ticks < ENOUGH_TICKS) {
        bulkhead_null_call();
    }
    require(false, "a spoilt list was not found");
}
