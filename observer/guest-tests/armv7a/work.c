// SPDX-License-Identifier: MIT
//
// A guest with all kinds of accesses and conditions, in A32 and in Thumb: single, multiple and
// double registers, write-back, exclusive accesses, the floating-point unit, IT blocks and skipped
// accesses. It has no exclusive store, which QEMU carries out as a read and a write.
#include "guest.h"

void trap(uint32_t vector) {
    (void)vector;
}

static uint32_t area[64];

// Executes accesses to `words`. `odd` decides which of the conditional ones are skipped.
#define ACCESSES                                                                                  \
    "push {r4-r9}\n\t"                                                                            \
    "ldm %0, {r2-r5}\n\tstm %0, {r2-r5}\n\tldrd r2, r3, [%0, #8]\n\t"                             \
    "strd r2, r3, [%0, #16]\n\tldrh r2, [%0, #2]\n\tstrb r2, [%0, #3]\n\t"                        \
    "ldrsb r3, [%0, #1]\n\tldrsh r3, [%0, #2]\n\tstrh r3, [%0, #6]\n\t"                           \
    "mov r4, %0\n\tldr r2, [r4], #4\n\tstr r2, [r4, #4]!\n\tmov r3, #1\n\tldrb r2, [r4, r3, lsl " \
    "#1]\n\t"                                                                                     \
    "add r9, %0, #64\n\tldrexd r2, r3, [r9]\n\t"                                                  \
    "ldrex r2, [r9]\n\t"                                                                          \
    "vldm %0, {d0-d3}\n\tvstm %0, {d0-d2}\n\tvldr s4, [%0]\n\tvstr d1, [%0]\n\t"                  \
    "vpush {d8-d9}\n\tvpop {d8-d9}\n\tvmov r2, r3, d0\n\tvmov s0, r2\n\t"                         \
    "vcmp.f32 s0, s1\n\tvmrs APSR_nzcv, fpscr\n\tvadd.f64 d0, d1, d2\n\t"                         \
    "tst %1, #1\n\t"                                                                              \
    "ite ne\n\tldrne r2, [%0]\n\tstreq r2, [%0]\n\t"                                              \
    "itt eq\n\tldmeq %0, {r2, r3}\n\tvstmeq %0, {d0}\n\t"                                         \
    "udiv r2, r2, r3\n\tclrex\n\tdmb\n\tpld [%0]\n\tpop {r4-r9}"

__attribute__((noinline)) static void arm(uint32_t *words, uint32_t odd) {
    __asm__ volatile(ACCESSES ::"r"(words), "r"(odd)
                     : "r2", "r3", "d0", "d1", "d2", "d3", "cc", "memory");
    BENCH_MARK("arm");
}

__attribute__((noinline, target("thumb"))) static void thumb(uint32_t *words, uint32_t odd) {
    __asm__ volatile(ACCESSES ::"r"(words), "r"(odd)
                     : "r2", "r3", "d0", "d1", "d2", "d3", "cc", "memory");
    BENCH_MARK("thumb");
}

void guest(void) {
    for (uint32_t i = 0; i < 8; i++) {
        arm(area, i);
        thumb(area + 16, i / 2);
    }
}
