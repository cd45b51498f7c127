// SPDX-License-Identifier: MIT
//
// A process that uses some of its stack and then faults, each time that it runs.
#include <stdint.h>

void faulty_main(void);
void faulty_main(void) {
    volatile uint32_t used[32];
    for (uint32_t i = 0; i < 32; i++) {
        used[i] = i;
    }
    for (;;) {
        *(volatile uint32_t *)(0xFFFFFFF0u + used[0]) = 0;
    }
}
