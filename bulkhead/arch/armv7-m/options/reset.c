// SPDX-License-Identifier: MIT
//
// Resets the system, and handles the interrupt of a watchdog, for core/options/record.c.
//
// A watchdog is wired to the NMI, which can interrupt the kernel too. Most watchdogs reset the
// system by themselves some time later, in case even this handler cannot run.
//
// Sources: Armv7-M Architecture Reference Manual (DDI 0403E) B1.5.8 EXC_RETURN, B3.2.6 AIRCR,
// B3.2.15 CFSR.
#include "options/record.h"
#include "internal.h"

#define AIRCR (*(volatile uint32_t *)0xE000ED0Cu)
#define AIRCR_RESET 0x05FA0004u // VECTKEY and SYSRESETREQ

enum { KERNEL_STACK_BYTES = 1024 }; // the kernel's stack is first in data memory (placement.py)

extern uint32_t memory_stack_top[], kernel_record[]; // defined in the linker script

static uint32_t panic_pc;

void arch_note_panic(uint32_t pc) {
    panic_pc = pc;
}

struct arch_place arch_panic_place(void) {
    return (struct arch_place){panic_pc, ARCH_CFSR};
}

_Noreturn void arch_reset_system(void) {
    __asm__ volatile("dsb" ::: "memory");
    AIRCR = AIRCR_RESET;
    __asm__ volatile("dsb" ::: "memory");
    for (;;) {
    }
}

// Returns whether a frame lies in data memory, on the stack of the kernel or of a thread. A thread
// may have moved its stack pointer, and so its frame, outside memory.
static bool is_in_data(const struct arch_frame *frame) {
    const uint32_t address = (uint32_t)frame;
    return address >= (uint32_t)memory_stack_top - KERNEL_STACK_BYTES &&
           address < (uint32_t)kernel_record;
}

uint32_t arch_watchdog_pc(const struct arch_frame *frame);
uint32_t arch_watchdog_pc(const struct arch_frame *frame) {
    return is_in_data(frame) ? frame->pc : 0;
}

// The interrupted code never continues, so the rest of the handler may use the whole stack.
__attribute__((naked)) void NMI_Handler(void);
__attribute__((naked)) void NMI_Handler(void) {
    __asm__ volatile("tst lr, #4\n\t" // bit 2 of EXC_RETURN says which stack has the frame
                     "ite eq\n\t"
                     "mrseq r0, msp\n\t"
                     "mrsne r0, psp\n\t"
                     "bl arch_watchdog_pc\n\t"
                     "ldr r1, =memory_stack_top\n\t"
                     "mov sp, r1\n\t"
                     "b record_watchdog\n\t"
                     ".ltorg");
}
