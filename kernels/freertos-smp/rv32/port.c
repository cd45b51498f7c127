// SPDX-License-Identifier: MIT
//
// The port of FreeRTOS for several cores to the nodes of rtl/, for the kernel itself: the first
// frame of a task, the tick, the start of each core. The contract's functions: ../port.c.
//
// Core 0 has the tick. A core that must switch because of another core gets a software interrupt
// from its doorbell.
#include <arch/tick.h>

#include <FreeRTOS.h>
#include <task.h>

#include "frame.h"
#include "smp.h"

#define STACK_WORDS 512
#define DOORBELL_BITS (*(volatile uint32_t *)0x11000008) // a load clears the bits
#define MIE_SOFTWARE (1u << 3)
#define STATUS_OF_TASK 0x1880u // mstatus: MPP machine mode, MPIE

SMP_OF_CORE UBaseType_t smp_held[SMP_LOCKS], smp_nesting;
SMP_OF_CORE static uint32_t stack[STACK_WORDS] __attribute__((aligned(16), used));
__asm__(".global smp_stack_top\nsmp_stack_top = stack + 4 * 512");
_Static_assert(STACK_WORDS == 512, "smp_stack_top is the end of the stack");

extern void *volatile pxCurrentTCBs[configNUMBER_OF_CORES];
extern const char smp_vectors[];
_Noreturn void smp_resume(void); // entry.S

StackType_t *pxPortInitialiseStack(StackType_t *top, TaskFunction_t code, void *parameters) {
    StackType_t *frame = top - FRAME_WORDS;
    frame[FRAME_PC] = (StackType_t)code;
    frame[FRAME_RA] = 0; // a task's function does not return
    frame[FRAME_A0] = (StackType_t)parameters;
    frame[FRAME_STATUS] = STATUS_OF_TASK;
    return frame;
}

// Handles the request of another core that this core switch tasks.
void smp_requested(void);
void smp_requested(void) {
    (void)DOORBELL_BITS;
    vTaskSwitchContext(portGET_CORE_ID());
}

void smp_tick(void);
void smp_tick(void) {
    arch_tick_next();
    const UBaseType_t before = taskENTER_CRITICAL_FROM_ISR();
    const BaseType_t required = xTaskIncrementTick();
    taskEXIT_CRITICAL_FROM_ISR(before);
    portYIELD_FROM_ISR(required);
}

_Noreturn void smp_start_core(void) {
    const BaseType_t core = portGET_CORE_ID();
    __asm__ volatile("csrw mtvec, %0" ::"r"((uint32_t)smp_vectors | 1));
    __asm__ volatile("csrw mscratch, %0" ::"r"(&pxCurrentTCBs[core]));
    __asm__ volatile("csrs mie, %0" ::"r"(MIE_SOFTWARE));
    vTaskSwitchContext(core);
    smp_resume();
}

// Defined by the linker script: the kernel's variables.
extern uint32_t smp_data_load[], smp_data_start[], smp_data_end[];
extern uint32_t smp_zero_start[], smp_zero_end[];

void smp_prepare_memory(void) {
    const uint32_t *from = smp_data_load;
    for (uint32_t *to = smp_data_start; to < smp_data_end; to++) {
        *to = *from++;
    }
    for (uint32_t *to = smp_zero_start; to < smp_zero_end; to++) {
        *to = 0;
    }
}

void smp_wait_for_start(void) {
    while (DOORBELL_BITS == 0) {
    }
}

BaseType_t xPortStartScheduler(void) {
    for (uint32_t core = 1; core < smp_cores(); core++) {
        portYIELD_CORE(core);
    }
    arch_tick_start();
    smp_start_core();
}

void vPortEndScheduler(void) {
}
