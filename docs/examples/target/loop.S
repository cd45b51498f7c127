// SPDX-License-Identifier: MIT
//
// The program of the trace: a loop of five instructions. Its vector table ends at 0x40.
.syntax unified
.thumb
.word 0x20010000, reset + 1
.rept 14
.word reset + 1
.endr

.macro function name
.global \name
.type \name, %function
\name:
.endm

function reset
    movs r0, #0
function work
    adds r0, #1
    adds r0, #2
    adds r0, #3
function rest
    nop
    b work
