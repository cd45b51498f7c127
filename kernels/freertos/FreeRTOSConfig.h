// SPDX-License-Identifier: MIT
//
// The header that the kernel's sources include by this name. The build has already included the
// configuration itself, which is a file of config/ or the user's own FreeRTOSConfig.h. This file
// defines what the platform requires in any configuration: on Armv7-M the handlers' names in the
// vector table, on RV32 the address of the timer and the stack of the handlers, on Armv7-A the
// interrupt controller and the tick.
#ifndef TICKLAB_FREERTOS_PLATFORM_H
#define TICKLAB_FREERTOS_PLATFORM_H

#ifdef __riscv

#include <arch/machine.h>

#define configMTIME_BASE_ADDRESS ARCH_MTIME
#define configMTIMECMP_BASE_ADDRESS ARCH_MTIMECMP
#define configISR_STACK_SIZE_WORDS 1024

#elif defined(__ARM_ARCH_7A__)

#include <arch/machine.h>
#ifndef __ASSEMBLER__
#include <arch/tick.h>
#endif

#define configINTERRUPT_CONTROLLER_BASE_ADDRESS ARCH_GICD
#define configINTERRUPT_CONTROLLER_CPU_INTERFACE_OFFSET (ARCH_GICC - ARCH_GICD)
#define configUNIQUE_INTERRUPT_PRIORITIES 256
#ifndef configMAX_API_CALL_INTERRUPT_PRIORITY
#define configMAX_API_CALL_INTERRUPT_PRIORITY 0x90
#endif

// The tick has the lowest priority that is not masked, and the kernel's handler.
#define FreeRTOS_Tick_Handler SysTick_Handler
#define configSETUP_TICK_INTERRUPT() arch_tick_start(ARCH_GIC_LOWEST_PRIORITY - 1)
#define configCLEAR_TICK_INTERRUPT() arch_tick_next()

#else

#ifndef vPortSVCHandler
#define vPortSVCHandler SVC_Handler
#endif
#ifndef xPortPendSVHandler
#define xPortPendSVHandler PendSV_Handler
#endif
#ifndef xPortSysTickHandler
#define xPortSysTickHandler SysTick_Handler
#endif

// The ports for Armv8-M, which name the handlers so themselves, require these. All software runs in
// the Secure state.
#ifdef __ARM_ARCH_8M_MAIN__
#define configENABLE_FPU 1
#define configENABLE_MPU 0
#define configENABLE_TRUSTZONE 0
#define configRUN_FREERTOS_SECURE_ONLY 1
#define configENABLE_MVE 0
#endif

#endif

#endif
