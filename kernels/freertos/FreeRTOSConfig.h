// SPDX-License-Identifier: MIT
//
// What the kernel's sources include by this name. The configuration itself is a file of config/, or
// the user's own FreeRTOSConfig.h, and has been included by the build before; here is what belongs
// to this platform whatever the configuration: the handlers' names in the vector table.
#ifndef TICKLAB_FREERTOS_PLATFORM_H
#define TICKLAB_FREERTOS_PLATFORM_H

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
