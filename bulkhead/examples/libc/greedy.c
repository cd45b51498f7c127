// SPDX-License-Identifier: MIT
//
// Allocates until its heap is used up.
#include <bulkhead/bulkhead.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

// The heap has room for at least LEAST_BLOCKS blocks, whichever C library is used.
enum { BLOCK_BYTES = 100, LEAST_BLOCKS = 4 };

void greedy_main(void);
void greedy_main(void) {
    setvbuf(stdout, NULL, _IONBF, 0); // allocates the streams now, and no buffer
    unsigned blocks = 0;
    while (malloc(BLOCK_BYTES) != NULL) {
        blocks++;
    }
    const unsigned least = blocks < LEAST_BLOCKS ? blocks : LEAST_BLOCKS;
    printf("greedy: %s after %u blocks\n", errno == ENOMEM ? "no memory" : "?", least);
    bulkhead_exit();
}
