// SPDX-License-Identifier: MIT
//
// Two threads allocate and free in turns, after the other process has used up its own heap. They
// share a heap, so the library's lock is a mutex of the process.
#include <bulkhead/bulkhead.h>
#include <console.h>
#include <errno.h>
#include <handles.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK_BYTES = 100, TIMES = 1000 };

// Returns the number of blocks that were allocated and still had the written pattern.
static unsigned allocate(int pattern) {
    unsigned whole = 0;
    for (unsigned i = 0; i < TIMES; i++) {
        char *block = malloc(BLOCK_BYTES);
        if (block != NULL) {
            memset(block, pattern, BLOCK_BYTES);
            whole += block[0] == pattern && block[BLOCK_BYTES - 1] == pattern;
        }
        free(block);
    }
    return whole;
}

static unsigned of_helper;

void helper_main(void);
void helper_main(void) {
    of_helper = allocate(1);
    bulkhead_exit();
}

void modest_main(void);
void modest_main(void) {
    setvbuf(stdout, NULL, _IONBF, 0); // allocates the streams now, and no buffer
    const unsigned own = allocate(2);
    (void)bulkhead_join(THREAD_HELPER, BULKHEAD_FOREVER);
    printf("modest: %u and %u of %d allocations, %s\n", own, of_helper, TIMES,
           errno == 0 ? "no error" : "?");
    console_end();
}
