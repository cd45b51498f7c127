// SPDX-License-Identifier: MIT
//
// The instructions of a mark on a board whose execution no observer follows from outside: they
// append the mark's address, the board's cycle counter and SysTick to a ring (bench/ring.h).
//
// They mask interrupts, so that the entries are in the order of their counts. They use fixed
// registers, so that every mark costs the same; the ring measures this cost at start-up. Only
// privileged code may read both counters, so kernels whose tasks are unprivileged cannot use these
// marks. The build defines BENCH_COUNTER, the address of the cycle counter.
//
// Source: Armv7-M Architecture Reference Manual (DDI 0403E) B3.3.5 SYST_CVR.
#ifndef ARCH_RING_MARK_H
#define ARCH_RING_MARK_H

#define ARCH_TEXT_OF(value) #value
#define ARCH_TEXT(value) ARCH_TEXT_OF(value)

#define ARCH_LOAD_ADDRESS(address)         \
    "movw r1, #(" address " & 0xFFFF)\n\t" \
    "movt r1, #((" address " >> 16) & 0xFFFF)\n\t"

// 661: the label of the mark. r0: the next entry, r2: the ring, r3: the caller's mask.
#define ARCH_MARK_CODE                                                      \
    "\n\tmrs r3, primask\n\t"                                               \
    "cpsid i\n\t"                                                           \
    "movw r2, #:lower16:bench_ring\n\t"                                     \
    "movt r2, #:upper16:bench_ring\n\t"                                     \
    "ldr r0, [r2]\n\t" ARCH_LOAD_ADDRESS(                                   \
        ARCH_TEXT(BENCH_COUNTER)) "ldr r1, [r1]\n\t"                        \
                                  "str r1, [r0, #4]\n\t" ARCH_LOAD_ADDRESS( \
                                      "0xE000E018") "ldr r1, [r1]\n\t"      \
                                                    "str r1, [r0, #8]\n\t"  \
                                                    "adr.w r1, 661b\n\t"    \
                                                    "str r1, [r0], #12\n\t" \
                                                    "str r0, [r2]\n\t"      \
                                                    "ldr r1, [r2, #4]\n\t"  \
                                                    "cmp r0, r1\n\t"        \
                                                    "bne 662f\n\t"          \
                                                    "bl bench_ring_full\n"  \
                                                    "662:\n\t"              \
                                                    "msr primask, r3\n\t"

#define ARCH_MARK_CLOBBERS "r0", "r1", "r2", "r3", "lr", "cc", "memory"

#endif
