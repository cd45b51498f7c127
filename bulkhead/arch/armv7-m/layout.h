// SPDX-License-Identifier: MIT
//
// Offsets in bytes of members of C structures, for the assembler files. arch.c asserts that they
// are right.
#ifndef ARCH_LAYOUT_H
#define ARCH_LAYOUT_H

#define FRAME_R0 0
#define FRAME_R1 4
#define FRAME_R3 12
#define FRAME_PC 24
#define FRAME_XPSR 28
#define FRAME_BYTES 32

#define CONTEXT_WORDS 20 // r8 to r11
#define CONTEXT_RESUME 36
#define CONTEXT_STACK 40
#define THREAD_PROCESS 48
#define THREAD_NEXT 52
#define THREAD_PREVIOUS 56
#define THREAD_LEVEL 60
#define THREAD_STATE 68
#define THREAD_CLIENT 76
#define THREAD_NOTIFICATIONS 80
#define THREAD_WAITS_IN 84
#define THREAD_TIMER 88
#define THREAD_WAIT_LOWER 112
#define THREAD_FLOATS 152

#define THREAD_STATE_SUSPENDED 1
#define THREAD_STATE_WAITS 2
#define THREAD_STATE_LISTENS 4
#define THREAD_STATE_CALLS 32
#define THREAD_STATE_RECEIVES 64
#define THREAD_STATE_TIMED 128

#define GATE_SERVER 0
#define SEMAPHORE_MAXIMUM 4
#define SEMAPHORE_WAITERS 8
#define LINE_NUMBER 8
#define LINE_UNMASK 0   // NVIC_ISERn
#define LINE_FORGET 384 // NVIC_ICPRn

#define PROCESS_RIGHTS 76

#define KERNEL_CURRENT 0
#define KERNEL_PROCESS 32
#define KERNEL_READY 64

#define QUEUE_CAPACITY 0
#define QUEUE_USED 4
#define QUEUE_TAIL 8
#define QUEUE_HEAD 12
#define QUEUE_END 16
#define QUEUE_START 20
#define QUEUE_SENDERS 28
#define QUEUE_RECEIVERS 32

#define POOL_START 4
#define POOL_BLOCKS 12
#define POOL_LINKS 16
#define POOL_WAITERS 20
#define POOL_USED 0xFFFE
#define POOL_LAST 0xFFFF

#define RESULT_REFUSED 2
#define RESULT_DENIED 3

#define ICSR 0xE000ED04
#define ICSR_PENDSVSET 0x10000000

// The ICI and IT bits of xPSR, in two parts that BIC can encode.
#define XPSR_ICI_HIGH 0x06000000
#define XPSR_ICI_LOW 0x0000FC00

// EXC_RETURN (DDI 0403E, B1.5.8): bit 4 is clear if the frame holds floating-point registers. Bit 3
// is set if the exception interrupted a thread.
#define EXC_RETURN_BASIC_FRAME 16
#define EXC_RETURN_THREAD 8

#endif
