// SPDX-License-Identifier: MIT
//
// Checks that the core has the configuration which rtl/README.md states: instruction set, memory
// protection, and the cycles of an instruction, which reveal its stages, branch adder and
// multiplier. QEMU has no cycles, so this program runs on a simulated node only.
#include "machine.h"

uint32_t trap(uint32_t cause, uint32_t pc) {
    (void)cause;
    REQUIRE(0, "unexpected trap");
    return pc;
}

#define EXTENSION(letter) (1u << ((letter) - 'A'))

static void test_instruction_set(void) {
    const uint32_t misa = READ_CSR(misa);
    REQUIRE(misa >> 30 == 1, "the core is not of 32 bits");
    REQUIRE((misa & 0x3ffffff) ==
                (EXTENSION('I') | EXTENSION('M') | EXTENSION('C') | EXTENSION('U')),
            "the extensions are not I, M, C and user mode");
}

static void test_protection(void) {
    WRITE_CSR(pmpaddr3, 0x12345679);
    REQUIRE(READ_CSR(pmpaddr3) == 0x12345679, "the fourth entry does not keep its address");
    WRITE_CSR(pmpaddr4, 0x12345679);
    REQUIRE(READ_CSR(pmpaddr4) == 0, "there is a fifth entry");
    WRITE_CSR(pmpaddr3, 0x18000000 >> 2);
    WRITE_CSR(pmpcfg0, 0x10000000); // NA4
    REQUIRE(READ_CSR(pmpcfg0) == 0x10000000, "the granularity is not 4 bytes");
    WRITE_CSR(pmpcfg0, 0);
}

// Returns the cycles of eight copies of `code`, without those of the measurement. The code starts
// at a multiple of 4 bytes and is not compressed.
#define EIGHT_TIMES(code) code code code code code code code code
#define CYCLES(code)                                                                   \
    ({                                                                                 \
        uint32_t start_, end_;                                                         \
        __asm__ volatile(".option push\n.option norvc\n.balign 16\n\tmv t2, %2\n"      \
                         "\tcsrr %0, mcycle\n" EIGHT_TIMES(code) "\tcsrr %1, mcycle\n" \
                                                                 ".option pop"         \
                         : "=&r"(start_), "=&r"(end_)                                  \
                         : "r"(&word)                                                  \
                         : "t0", "t1", "t2", "memory");                                \
        end_ - start_;                                                                 \
    })

static void require_cycles(const char *name, uint32_t cycles, uint32_t expected) {
    if (cycles != expected) {
        print(name);
        print(" takes ");
        print_number(cycles);
        print(" cycles; ");
    }
    REQUIRE(cycles == expected, "the core is not the configured one");
}

static void test_cycles(void) {
    static uint32_t word = 3;
    const uint32_t none = CYCLES("\tnop\n") - 8;
    require_cycles("add", CYCLES("\tadd t0, t1, t1\n") - none, 8);
    require_cycles("mul", CYCLES("\tmul t0, t1, t1\n") - none, 8);
    require_cycles("mulh", CYCLES("\tmulh t0, t1, t1\n") - none, 16);
    require_cycles("branch", CYCLES("\tbeq zero, zero, . + 4\n") - none, 16);
    require_cycles("not taken", CYCLES("\tbne zero, zero, . + 4\n") - none, 8);
    require_cycles("load", CYCLES("\tlw t0, 0(t2)\n") - none, 8);
    require_cycles("load and use", CYCLES("\tlw t0, 0(t2)\n\tadd t1, t0, t0\n") - none, 24);
    require_cycles("store", CYCLES("\tsw t2, 0(t2)\n") - none, 8);
}

int main(uint32_t hart) {
    REQUIRE(hart == READ_CSR(mhartid), "a0 is not the hart");
    test_instruction_set();
    test_protection();
    test_cycles();
    print("core ");
    print_number(hart);
    print(" is well\n");
    PASS();
}
