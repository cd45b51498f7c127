// SPDX-License-Identifier: MIT
//
// For the server in the test `calls`: receives a call, and checks that the registers that a call
// preserves did not change. Include this file in one source file only, as it defines a function.
#ifndef SERVICE_RECEIVE_H
#define SERVICE_RECEIVE_H

#include <stdint.h>

// Waits for a call. Registers that the call preserves have a pattern meanwhile. Returns nonzero if
// any of these registers has changed.
uint32_t service_receive(uint32_t words[4], uint32_t *caller, uint32_t gate, uint32_t method);
__asm__(".text\n\t"
        ".thumb_func\n"
        "service_receive:\n\t"
        "push {r0, r1, r4-r11, lr}\n\t"
        "ldmia r0, {r8-r11}\n\t"
        "movs r0, #0\n\t"
        "mov r1, r2\n\t"
        "mov r2, r3\n\t"
        "movs r4, #0x44\n\t"
        "movs r5, #0x55\n\t"
        "movs r6, #0x66\n\t"
        "movs r7, #0x77\n\t"
        "mov r12, #0xCC\n\t"
        "svc 0\n\t"
        "eor r4, #0x44\n\t"
        "eor r5, #0x55\n\t"
        "eor r6, #0x66\n\t"
        "eor r7, #0x77\n\t"
        "eor r12, #0xCC\n\t"
        "orr r0, r4\n\t"
        "orr r0, r5\n\t"
        "orr r0, r6\n\t"
        "orr r0, r7\n\t"
        "orr r0, r12\n\t"
        "pop {r4, r5}\n\t"
        "stmia r4, {r8-r11}\n\t"
        "str r3, [r5]\n\t"
        "pop {r4-r11, pc}");

#endif
