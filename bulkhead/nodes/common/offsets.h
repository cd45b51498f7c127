// SPDX-License-Identifier: MIT
//
// The offsets of a thread's members, for assembler; thread.h asserts that they are the same in C.
#ifndef NODES_OFFSETS_H
#define NODES_OFFSETS_H

#define THREAD_PC 0
#define THREAD_RA 4
#define THREAD_SP 8
#define THREAD_INTERRUPTED 12
#define THREAD_S 16
#define THREAD_A 64
#define THREAD_T 96
#define THREAD_STACK_REGION 124
#define THREAD_DATA_REGION 128
#define THREAD_PLACE 174
#define THREAD_DORMANT 177
#define THREAD_BYTES 184

// Alignment of the table of threads: all bytes of a thread have the same upper part of the address.
#define THREADS_ALIGNMENT 256

#define CALLS 32      // equal to NODES_CALLS
#define CALL_SHIFT 16 // equal to NODES_CALL_SHIFT

#endif
