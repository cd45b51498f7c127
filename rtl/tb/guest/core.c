// SPDX-License-Identifier: MIT
//
// Checks that the core has the configuration which rtl/README.md states: instruction set, memory
// protection, and the cycles of an instruction, which reveal its stages, branch adder and
// multiplier. QEMU has no cycles, so this program runs on a simulated node only.
#include "machine.h"

// Expected values for a core: its identity, its extensions, and the cycles of each instruction.
struct core {
    uint32_t architecture; // marchid
    uint32_t extensions;   // besides I, M, C and user mode
    uint32_t add, mul, mulh, divide, taken, not_taken, jump, csr, fence, load, load_and_use, store;
};

#define EXTENSION(letter) (1u << ((letter) - 'A'))

// Source: the chapters "Pipeline Details" of the cores' manuals, with these differences. The manual
// of Ibex describes two stages; its source also has the third. The manual of CV32E40S says 3 cycles
// for a jump, but the target is fetched during the jump's second cycle. A CSR instruction waits for
// another one that is fewer than three instructions ahead.
static const struct core cores[] = {
    {.architecture = 22, // Ibex
     .add = 1,
     .mul = 1,
     .mulh = 2,
     .divide = 37,
     .taken = 2,
     .not_taken = 1,
     .jump = 2,
     .csr = 1,
     .fence = 2,
     .load = 1,
     .load_and_use = 3,
     .store = 1},
    {.architecture = 21, // CV32E40S; cpuctrl is 0, so branches and divisions depend on their data
     .extensions = EXTENSION('X'),
     .add = 1,
     .mul = 1,
     .mulh = 4,
     .divide = 3,
     .taken = 3,
     .not_taken = 2,
     .jump = 2,
     .csr = 3,
     .fence = 6,
     .load = 1,
     .load_and_use = 3,
     .store = 1},
};
static const struct core *core = cores;

uint32_t trap(uint32_t cause, uint32_t pc) {
    (void)cause;
    REQUIRE(0, "unexpected trap");
    return pc;
}

static void test_instruction_set(void) {
    const uint32_t misa = READ_CSR(misa);
    REQUIRE(misa >> 30 == 1, "the core is not of 32 bits");
    REQUIRE((misa & 0x3ffffff) == (EXTENSION('I') | EXTENSION('M') | EXTENSION('C') |
                                   EXTENSION('U') | core->extensions),
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

static uint32_t word = 3;

// Returns the cycles of eight copies of `code`, plus those of the measurement itself. The code
// starts at a multiple of 4 bytes and is not compressed. CV32E40S reads mcycle only when its last
// stage is empty, so each reading follows an instruction of one cycle (mv, nop).
#define EIGHT_TIMES(code) code code code code code code code code
#define CYCLES(code)                                                                              \
    ({                                                                                            \
        uint32_t start_, end_;                                                                    \
        __asm__ volatile(".option push\n.balign 16\n.option norvc\n\tmv t2, %2\n"                 \
                         "\tcsrr %0, mcycle\n" EIGHT_TIMES(code) "\tnop\n"                        \
                                                                 "\tcsrr %1, mcycle\n.option pop" \
                         : "=&r"(start_), "=&r"(end_)                                             \
                         : "r"(&word)                                                             \
                         : "t0", "t1", "t2", "memory");                                           \
        end_ - start_;                                                                            \
    })

static void require_cycles(const char *name, uint32_t cycles, uint32_t expected) {
    if (cycles != 8 * expected) {
        print(name);
        print(" takes ");
        print_number(cycles);
        print(" cycles for eight; ");
    }
    REQUIRE(cycles == 8 * expected, "the core is not the configured one");
}

static void test_cycles(void) {
    WRITE_CSR(mcountinhibit, 0); // CV32E40S does not count at reset
    const uint32_t none = CYCLES("\tnop\n") - 8;
    require_cycles("add", CYCLES("\tadd t0, t1, t1\n") - none, core->add);
    require_cycles("mul", CYCLES("\tmul t0, t1, t1\n") - none, core->mul);
    require_cycles("mulh", CYCLES("\tmulh t0, t1, t1\n") - none, core->mulh);
    require_cycles("divide", CYCLES("\tdivu t0, t1, t2\n") - none, core->divide);
    require_cycles("branch", CYCLES("\tbeq zero, zero, . + 4\n") - none, core->taken);
    require_cycles("not taken", CYCLES("\tbne zero, zero, . + 4\n") - none, core->not_taken);
    require_cycles("jump", CYCLES("\tj . + 4\n") - none, core->jump);
    require_cycles("csr in a row", CYCLES("\tcsrr t0, mscratch\n") - none, core->csr);
    require_cycles("fence.i", CYCLES("\tfence.i\n") - none, core->fence);
    require_cycles("load", CYCLES("\tlw t0, 0(t2)\n") - none, core->load);
    const uint32_t both = CYCLES("\tlw t0, 0(t2)\n\tadd t1, t0, t0\n");
    require_cycles("load and use", both - none, core->load_and_use);
    require_cycles("store", CYCLES("\tsw t2, 0(t2)\n") - none, core->store);
}

#define CPUCTRL_AT_RESET 0x19 // data independent timing, hardened PC, checksums of the bus

// Checks that the boot code has switched the hardening of the core off, that the core reports no
// fault of the bus with the hardening on, and that the hardening costs the cycles that the manual
// states.
static void test_hardening(void) {
    REQUIRE(READ_CSR(0xbf0) == 0, "the core is hardened");
    const uint32_t none = CYCLES("\tnop\n") - 8;
    WRITE_CSR(0xbf0, CPUCTRL_AT_RESET);
    const uint32_t divide = CYCLES("\tdivu t0, t1, t2\n"), load = CYCLES("\tlw t0, 0(t2)\n");
    const uint32_t branch = CYCLES("\tbne zero, zero, . + 4\n");
    WRITE_CSR(0xbf0, 0);
    require_cycles("hardened divide", divide - none, 35);
    require_cycles("hardened branch", branch - none, 3);
    require_cycles("hardened load", load - none, 1);
}

// Node 0 ends the run, so it waits until each other node has printed its line.
static void wait_for_all(uint32_t hart) {
    if (hart != 0) {
        RING_BITS(0) = 1u << hart;
        return;
    }
    for (uint32_t well = 1; well != (1u << NODES) - 1;) {
        well |= BITS;
    }
}

int main(uint32_t hart) {
    REQUIRE(hart == READ_CSR(mhartid), "a0 is not the hart");
    while (core->architecture != READ_CSR(marchid)) {
        REQUIRE(++core < &cores[2], "the core is unknown");
    }
    test_instruction_set();
    test_protection();
    test_cycles();
    if (core->extensions == EXTENSION('X')) {
        test_hardening();
    }
    print("core ");
    print_number(hart);
    print(" is well\n");
    wait_for_all(hart);
    PASS();
}
