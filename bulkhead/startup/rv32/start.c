// SPDX-License-Identifier: MIT
//
// Start-up from reset.S to the kernel, for a machine that needs no other set-up: memory, the tick.
//
// BULKHEAD_TICK_CYCLES is the tick's period in counts of mtime: cycles in rtl/, 100 ns on QEMU.
#include <bulkhead/start.h>
#include <bulkhead/tick.h>
#include <stdint.h>

_Static_assert(BULKHEAD_TICK_CYCLES > 0, "a tick has a period");

// From the declaration.
extern uint32_t memory_data_load[], memory_data_start[], memory_data_end[];
extern uint32_t memory_zero_start[], memory_zero_end[];

static void load_kernel_data(void) {
    const uint32_t *from = memory_data_load;
    for (uint32_t *to = memory_data_start; to < memory_data_end; to++) {
        *to = *from++;
    }
    for (uint32_t *to = memory_zero_start; to < memory_zero_end; to++) {
        *to = 0;
    }
}

_Noreturn void start(void);
_Noreturn void start(void) {
    load_kernel_data();
    bulkhead_tick_start(BULKHEAD_TICK_CYCLES);
    bulkhead_start();
}
