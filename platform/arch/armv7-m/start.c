// SPDX-License-Identifier: MIT
//
// From reset to the kernel's port: data, zeroes, faults and the FPU, constructors,
// bench_port_start.
//
// No clock is set up and no device: the board's reset state is what every kernel gets. Constructors
// run because some kernels register their tasks in them.
//
// Sources: Armv7-M Architecture Reference Manual (DDI 0403E) B3.2.13 SHCSR, B3.2.20 CPACR.
#include <bench/port.h>

// From the linker script.
extern uint32_t memory_data_load[], memory_data_start[], memory_data_end[];
extern uint32_t memory_zero_start[], memory_zero_end[];
extern void (*memory_constructors_start[])(void);
extern void (*memory_constructors_end[])(void);

#define SHCSR (*(volatile uint32_t *)0xE000ED24u)
#define SHCSR_MEM_BUS_USAGE_FAULTS (7u << 16)
#define CPACR (*(volatile uint32_t *)0xE000ED88u)
#define CPACR_FPU_FULL_ACCESS (15u << 20)

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

// Faults of their own instead of hard faults, so that a report has the right name. The FPU's field
// is ignored on a core without one.
static void enable_core(void) {
    SHCSR |= SHCSR_MEM_BUS_USAGE_FAULTS;
    CPACR |= CPACR_FPU_FULL_ACCESS;
    __asm__ volatile("dsb\n\tisb" ::: "memory");
}

_Noreturn void Reset_Handler(void);
_Noreturn void Reset_Handler(void) {
    enable_core();
    copy_data();
    clear_zeroes();
    run_constructors();
    bench_port_start();
}
