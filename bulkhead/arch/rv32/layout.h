// SPDX-License-Identifier: MIT
//
// Offsets in bytes of members of C structures, for the assembler files. arch.c asserts that they
// are right.
#ifndef ARCH_LAYOUT_H
#define ARCH_LAYOUT_H

#define FRAME_RA 0
#define FRAME_SP 4
#define FRAME_GP 8
#define FRAME_TP 12
#define FRAME_T0 16
#define FRAME_T1 20
#define FRAME_T2 24
#define FRAME_S0 28
#define FRAME_S1 32
#define FRAME_A0 36
#define FRAME_A1 40
#define FRAME_A2 44
#define FRAME_A3 48
#define FRAME_A4 52
#define FRAME_A5 56
#define FRAME_A6 60
#define FRAME_A7 64
#define FRAME_S2 68
#define FRAME_S3 72
#define FRAME_S4 76
#define FRAME_S5 80
#define FRAME_S6 84
#define FRAME_S7 88
#define FRAME_S8 92
#define FRAME_S9 96
#define FRAME_S10 100
#define FRAME_S11 104
#define FRAME_T3 108
#define FRAME_T4 112
#define FRAME_T5 116
#define FRAME_T6 120
#define FRAME_PC 124
#define FRAME_HANDLE 128
#define FRAME_IS_WHOLE 132

#define CONTEXT_STACK 136
#define THREAD_PROCESS 140
#define THREAD_NEXT 144
#define THREAD_LEVEL 152
#define THREAD_PRIORITY_MASK 156
#define THREAD_STATE 160
#define THREAD_CLIENT 168

#define THREAD_NOTIFICATIONS 172
#define THREAD_WAITS_IN 176
#define THREAD_TIMER 184
#define THREAD_WAIT_LOWER 208

#define THREAD_STATE_WAITS 2
#define THREAD_STATE_LISTENS 4
#define THREAD_STATE_CALLS 32
#define THREAD_STATE_RECEIVES 64
#define THREAD_STATE_TIMED 128

#define SEMAPHORE_COUNT 0 // of a semaphore whose word is in the kernel
#define SEMAPHORE_MAXIMUM 4
#define SEMAPHORE_WAITERS 8
#define SEMAPHORE_WORD 12
#define GATE_SERVER 0
#define LINE_NUMBER 0

#define PROCESS_REGION_0 0
#define PROCESS_REGION_1 4
#define PROCESS_CONFIGURATION 8
#define PROCESS_RIGHTS 56

// Offset of the kernel's state from the top of the kernel's stack; the state lies below the stack
// (layout.ld).
#define KERNEL_STATE (-1536)
#define KERNEL_CURRENT (KERNEL_STATE + 0)
#define KERNEL_PROCESS (KERNEL_STATE + 32)
#define KERNEL_RIGHTS_MASK (KERNEL_STATE + 36)
#define KERNEL_READY (KERNEL_STATE + 64)

#define RESULT_DENIED 3

#define MSTATUS_MPP 0x1800
#define MSTATUS_MPRV 0x20000

#endif
