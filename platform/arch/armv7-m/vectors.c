// SPDX-License-Identifier: MIT
//
// The vector table. Every entry except the first two is a weak symbol with its CMSIS name. A
// kernel's port installs a handler at link time by defining the symbol, so the table stays constant
// and in code memory.
//
// An exception without a handler enters the fault report, so no exception is ignored.
#include <platform/lines.h>
#include <stdint.h>

extern uint32_t memory_stack_top[]; // the linker script
void Reset_Handler(void);
void fault_entry(void);

#define WEAK(name) void name(void) __attribute__((weak, alias("exception_unhandled")));
#define ENTRY(name) name,

// An alias must name a function of the same file.
__attribute__((naked, used)) static void exception_unhandled(void) {
    __asm__("b fault_entry");
}

WEAK(NMI_Handler)
WEAK(HardFault_Handler)
WEAK(MemManage_Handler)
WEAK(BusFault_Handler)
WEAK(UsageFault_Handler)
WEAK(SVC_Handler)
WEAK(DebugMon_Handler)
WEAK(PendSV_Handler)
WEAK(SysTick_Handler)
PLATFORM_EACH_LINE(WEAK)

struct vector_table {
    uint32_t *stack_top;
    void (*handlers[15])(void);
    void (*devices[16])(void);        // the board's own interrupts, none of which is enabled
    void (*software_lines[16])(void); // arch/interrupt.h
};

__attribute__((section(".vectors"), used)) const struct vector_table vector_table = {
    .stack_top = memory_stack_top,
    .handlers = {Reset_Handler, NMI_Handler, HardFault_Handler, MemManage_Handler, BusFault_Handler,
                 UsageFault_Handler, 0, 0, 0, 0, SVC_Handler, DebugMon_Handler, 0, PendSV_Handler,
                 SysTick_Handler},
    .devices = {exception_unhandled, exception_unhandled, exception_unhandled, exception_unhandled,
                exception_unhandled, exception_unhandled, exception_unhandled, exception_unhandled,
                exception_unhandled, exception_unhandled, exception_unhandled, exception_unhandled,
                exception_unhandled, exception_unhandled, exception_unhandled, exception_unhandled},
    .software_lines = {PLATFORM_EACH_LINE(ENTRY)},
};
