// SPDX-License-Identifier: MIT
//
// What the kernel's sources include by this name. The configuration itself is a file of config/, or
// the user's own FreeRTOSConfig.h, and has been included by the build before; here is what belongs
// to this platform whatever the configuration: on Armv7-M the handlers' names in the vector table,
// on RV32 where the timer is, and the stack on which handlers run.
#ifndef TICKLAB_FREERTOS_PLATFORM_H
#define TICKLAB_FREERTOS_PLATFORM_H

#ifdef __riscv

#include <arch/machine.h>

#define configMTIME_BASE_ADDRESS ARCH_MTIME
#define configMTIMECMP_BASE_ADDRESS ARCH_MTIMECMP
#define configISR_STACK_SIZE_WORDS 1024

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

#endif

#endif
