// SPDX-License-Identifier: MIT
//
// Start-up from the core's reset code to the kernel's port: data, zeroes, constructors,
// bench_port_start.
//
// This code sets up no clock and no device, so every kernel starts in the board's reset state. It
// calls constructors because some kernels register their tasks in them.
#include <bench/port.h>
#include <platform/start.h>

// Defined by the linker script.
extern uint32_t memory_data_load[], memory_data_start[], memory_data_end[];
extern uint32_t memory_zero_start[], memory_zero_end[];
extern void (*memory_constructors_start[])(void);
extern void (*memory_constructors_end[])(void);

static void copy_data(void) {
    const uint32_t *from = memory_data_load;
    for (uint32_t *to = memory_data_start; to < memory_data_end; to++) {
        *to = *from++;
    }
}

static void clear_zeroes(void) {
    for (uint32_t *to = memory_zero_start; to < memory_zero_end; to++) {
        *to = 0;
    }
}

static void run_constructors(void) {
    for (void (**constructor)(void) = memory_constructors_start;
         constructor < memory_constructors_end; constructor++) {
        (*constructor)();
    }
}

void platform_start(void) {
    copy_data();
    clear_zeroes();
    run_constructors();
    bench_port_start();
}
