// SPDX-License-Identifier: MIT
//
// A guest with a fault in the handler of HardFault: the processor locks up (DDI 0403E, B1.5.15),
// and QEMU aborts.
#include "guest.h"

NAKED void HardFault_Handler(void) {
    BENCH_MARK("hardfault");
    __asm__ volatile("nop\n\tudf #0");
}

void guest(void) {
    __asm__ volatile("udf #0");
}
