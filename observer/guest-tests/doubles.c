// SPDX-License-Identifier: MIT
//
// A guest with arithmetic on doubles, and with the roundings and selections of FPv5.
#include "guest.h"

static double values[4];

static void work(double step) {
    for (int i = 0; i < 12; i++) {
        double value = values[i % 4];
        BENCH_MARK("value");
        __asm__ volatile("vfma.f64 %P0, %P1, %P1\n\t"
                         "vsqrt.f64 %P0, %P0\n\t"
                         "vmaxnm.f64 %P0, %P0, %P1\n\t"
                         "vcmp.f64 %P0, %P1\n\t"
                         "vmrs APSR_nzcv, fpscr\n\t"
                         "vselge.f64 %P0, %P0, %P1\n\t"
                         "vrinta.f64 %P0, %P0\n\t"
                         "vrintz.f64 %P0, %P0"
                         : "+w"(value)
                         : "w"(step)
                         : "cc");
        values[i % 4] = value / step;
    }
}

void guest(void) {
    CPACR |= 0xFu << 20;
    BARRIER();
    work(1.5);
}
