// SPDX-License-Identifier: MIT
//
// Start-up from reset to the kernel: memory, the FPU, the tick. It is for a board that needs no
// other set-up; a board that has clocks to set up brings its own file (cmake/BulkheadConfig.cmake,
// START).
//
// BULKHEAD_TICK_CYCLES is the tick's period in cycles of the processor.
//
// Sources: Armv7-M Architecture Reference Manual (DDI 0403E) B3.2.5 VTOR, B3.2.20 CPACR, B3.3
// SysTick.
#include <bulkhead/start.h>
#include <stdint.h>

#define VTOR (*(volatile uint32_t *)0xE000ED08u)
#define ICSR (*(volatile uint32_t *)0xE000ED04u)
#define ICSR_PENDSTCLR (1u << 25)
#define MPU_CTRL (*(volatile uint32_t *)0xE000ED94u)
#define CPACR (*(volatile uint32_t *)0xE000ED88u)
#define CPACR_FPU_FULL_ACCESS (15u << 20)
#define SYSTICK_CONTROL (*(volatile uint32_t *)0xE000E010u)
#define SYSTICK_RELOAD (*(volatile uint32_t *)0xE000E014u)
#define SYSTICK_CURRENT (*(volatile uint32_t *)0xE000E018u)
#define SYSTICK_RUN 7u // enabled, interrupting, on the processor's clock

_Static_assert(BULKHEAD_TICK_CYCLES > 0 && BULKHEAD_TICK_CYCLES <= 1 << 24,
               "SysTick counts 24 bits: choose another tick");

// From the declaration.
extern uint32_t memory_data_load[], memory_data_start[], memory_data_end[];
extern uint32_t memory_zero_start[], memory_zero_end[];
extern void (*const bulkhead_vectors[])(void);

static void load_kernel_data(void) {
    const uint32_t *from = memory_data_load;
    for (uint32_t *to = memory_data_start; to < memory_data_end; to++) {
        *to = *from++;
    }
    for (uint32_t *to = memory_zero_start; to < memory_zero_end; to++) {
        *to = 0;
    }
}

static void start_tick(void) {
    SYSTICK_CONTROL = 0;
    ICSR = ICSR_PENDSTCLR;
    SYSTICK_RELOAD = BULKHEAD_TICK_CYCLES - 1;
    SYSTICK_CURRENT = 0;
    SYSTICK_CONTROL = SYSTICK_RUN;
}

// A core without an FPU ignores the field of the FPU in CPACR.
_Noreturn void start(void);
_Noreturn void start(void) {
    MPU_CTRL = 0;
    VTOR = (uint32_t)bulkhead_vectors;
    CPACR |= CPACR_FPU_FULL_ACCESS;
    __asm__ volatile("dsb\n\tisb" ::: "memory");
    load_kernel_data();
    start_tick();
    bulkhead_start();
}

// Masks interrupts and selects the main stack, as after a reset, because a boot loader may have
// changed both. The kernel unmasks interrupts after it has set up its own (arch.c).
__attribute__((naked)) void Reset_Handler(void);
__attribute__((naked)) void Reset_Handler(void) {
    __asm__ volatile("cpsid i\n\t"
                     "movs r0, #0\n\t"
                     "msr control, r0\n\t"
                     "isb\n\t"
                     "ldr r0, =memory_stack_top\n\t"
                     "msr msp, r0\n\t"
                     "b start\n\t"
                     ".ltorg");
}
