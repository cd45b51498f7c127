// SPDX-License-Identifier: MIT
//
// A process of isolation.c that no attack may disturb. It checks that its memory is unchanged and
// reports that it still runs.
#include "handles.h"
#include "report.h"
#include <bulkhead/bulkhead.h>

enum { WORDS = 8, CANARY = 0x5AFE5AFE };

volatile uint32_t victim_words[WORDS] = {CANARY, CANARY, CANARY, CANARY,
                                         CANARY, CANARY, CANARY, CANARY};

void victim_main(void);
void victim_main(void) {
    for (;;) {
        for (int i = 0; i < WORDS; i++) {
            require(victim_words[i] == CANARY, "the victim's memory was changed");
        }
        bulkhead_semaphore_give(SEMAPHORE_SHARED);
    }
}
