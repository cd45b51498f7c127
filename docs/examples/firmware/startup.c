// SPDX-License-Identifier: MIT
//
// The vector table and the start-up of a Cortex-M4 whose memory is loaded by the debugger.
#include <stdint.h>

extern uint32_t stack_top, bss_begin, bss_end;
int main(void);
void SVC_Handler(void), PendSV_Handler(void), SysTick_Handler(void), Receive_Handler(void);

static void stop(void) {
    for (;;) {
    }
}

void reset(void);

void reset(void) {
    for (uint32_t *word = &bss_begin; word < &bss_end; word++) {
        *word = 0;
    }
    main();
    stop();
}

__attribute__((section(".vectors"), used)) static const void *const vectors[17] = {
    [0] = &stack_top,
    [1] = reset,
    [2] = stop,
    [3] = stop,
    [4] = stop,
    [5] = stop,
    [6] = stop,
    [11] = SVC_Handler,
    [12] = stop,
    [14] = PendSV_Handler,
    [15] = SysTick_Handler,
    [16] = Receive_Handler,
};
