// SPDX-License-Identifier: MIT
//
// The tables of methods that rights point to (core/method_tables.inc). Methods of a queue of
// four-word messages begin with their shortest case, in assembler (entry.S). So do those of a gate
// (gate.S).

#include <bulkhead/methods.h>
#include <lookup.inc>
#include <switch.inc>

#define IDLE_BOOT enter_kernel_boot
#define LOCAL_SEMAPHORE_GIVE enter_semaphore_give
#define QUEUE_SEND_FOUR queue_send_four
#define QUEUE_RECEIVE_FOUR queue_receive_four

    .syntax unified
    .thumb
    .section .rodata.methods, "a", %progbits
    .balign 4

#include "method_tables.inc"
