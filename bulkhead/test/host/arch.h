// SPDX-License-Identifier: MIT
//
// The architecture layer for tests on the host. It has the declarations that some files of core/
// need; these files do not use the processor.
#ifndef ARCH_H
#define ARCH_H

#include <stdint.h>

#define MUST_USE __attribute__((warn_unused_result))

struct arch_frame {
    uint32_t r0;
};

struct arch_region {
    uint32_t base, attributes;
};

struct arch_regions {
    struct arch_region each[4];
};

struct arch_context {
    uint32_t unused;
};

struct arch_float_context {
    uint32_t unused;
};

static inline uint32_t arch_leading_zeroes(uint32_t word) {
    return word == 0 ? 32 : (uint32_t)__builtin_clz(word);
}

static inline void arch_compiler_barrier(void) {
}

#endif
