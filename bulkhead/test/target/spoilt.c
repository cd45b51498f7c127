// SPDX-License-Identifier: MIT
//
// Makes calls of a kernel whose lists spoiler.c corrupts at a tick. The sanity checks must stop it.
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
