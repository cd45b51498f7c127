// SPDX-License-Identifier: MIT
//
// The process that crashes: after a few ticks it dereferences a null pointer. Whenever it starts,
// its memory has the contents of the image.
#include <bulkhead/bulkhead.h>
#include <console.h>
#include <stddef.h>

static uint32_t starts;
static uint32_t *volatile nowhere = NULL;

void faulty_main(void);
void faulty_main(void) {
    starts++;
    console_write("faulty: start ");
    console_write_number(starts);
    console_write("\n");
    bulkhead_delay(3);
    *nowhere = starts;
}
