// SPDX-License-Identifier: MIT
//
// Start-up and vector table of the observer's test guests. An exception without a handler in the
// guest makes the guest fail.
#include "guest.h"

static _Noreturn void leave(uint32_t reason) {
    register uint32_t operation __asm__("r0") = 0x18; // SYS_EXIT
    register uint32_t argument __asm__("r1") = reason;
    __asm__ volatile("bkpt 0xab" ::"r"(operation), "r"(argument) : "memory");
    for (;;) {
    }
}

void reset(void) {
    BENCH_MARK("start");
    guest();
    BENCH_MARK("finish");
    leave(0x20026); // ADP_Stopped_ApplicationExit
}

void unexpected(void) {
    leave(0x20023); // ADP_Stopped_RunTimeErrorUnknown
}

#define HANDLER(name) __attribute__((weak, alias("unexpected"))) void name(void)
HANDLER(NMI_Handler);
HANDLER(HardFault_Handler);
HANDLER(MemManage_Handler);
HANDLER(BusFault_Handler);
HANDLER(UsageFault_Handler);
HANDLER(SVC_Handler);
HANDLER(PendSV_Handler);
HANDLER(SysTick_Handler);
HANDLER(Interrupt0_Handler);
HANDLER(Interrupt1_Handler);
HANDLER(Interrupt2_Handler);

extern uint32_t stack_top;

__attribute__((section(".vectors"), used)) void (*const vectors[])(void) = {
    (void (*)(void))&stack_top,
    reset,
    NMI_Handler,
    HardFault_Handler,
    MemManage_Handler,
    BusFault_Handler,
    UsageFault_Handler,
    0,
    0,
    0,
    0,
    SVC_Handler,
    unexpected,
    0,
    PendSV_Handler,
    SysTick_Handler,
    Interrupt0_Handler,
    Interrupt1_Handler,
    Interrupt2_Handler,
};
