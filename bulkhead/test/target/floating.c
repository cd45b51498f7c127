// SPDX-License-Identifier: MIT
//
// Tests floating-point registers: each thread keeps its own values, whatever interrupts the thread.
// A thread that uses these registers for the first time finds no values of another process in them.
// No thread makes another thread store these registers.
// Also tests that processes with three MPU regions have all of them after each context switch.
#include "report.h"
#include "unit_attempts.h"
#include <bulkhead/bulkhead.h>

enum { ROUNDS = 500 * TEST_LENGTH, LOOK_AFTER_TICKS = 20, LOOKERS = 2 };
#define FLAGS 0x8000009Fu // FPSCR: N, and all cumulative flags
// FPSCR of Armv8.1-M: LTPSIZE, which a loop requires. Other cores ignore it.
#define NO_TAIL_PREDICATION 0x40000u

static volatile uint32_t visits, looks;

// Memory regions that the processes left and right may both access; each process has a word of its
// own in each region.
enum { LEFT, RIGHT };
extern volatile uint32_t second_start[], third_start[];

// Writes to every region of the process. If a context switch has overwritten one of these MPU
// regions with the region of a stack, the access faults.
static void use_regions(uint32_t side, uint32_t round) {
    require(second_start[side] == round && third_start[side] == round, "a region lost its value");
    second_start[side]++;
    third_start[side]++;
}

// Fills the 32 floating-point registers with `pattern` and the numbers after it, and FPSCR with
// flags. Then executes `between`, which is a system call or empty, and compares the registers.
// Returns the number of registers that have changed.
#define PASS(pattern, between)                                                                   \
    ({                                                                                           \
        uint32_t expected[32], found[32], wrong = 0;                                             \
        for (uint32_t i = 0; i < 32; i++) {                                                      \
            expected[i] = (pattern) + i;                                                         \
        }                                                                                        \
        __asm__ volatile(                                                                        \
            "vmsr fpscr, %2\n\tvldmia %0, {s0-s31}\n\t" between "\n\tvstmia %1, {s0-s31}"        \
            :                                                                                    \
            : "r"(expected), "r"(found), "r"(FLAGS | NO_TAIL_PREDICATION)                        \
            : "r0", "r1", "r2", "memory", "s0", "s1", "s2", "s3", "s4", "s5", "s6", "s7", "s8",  \
              "s9", "s10", "s11", "s12", "s13", "s14", "s15", "s16", "s17", "s18", "s19", "s20", \
              "s21", "s22", "s23", "s24", "s25", "s26", "s27", "s28", "s29", "s30", "s31");      \
        for (uint32_t i = 0; i < 32; i++) {                                                      \
            wrong += found[i] != expected[i];                                                    \
        }                                                                                        \
        wrong;                                                                                   \
    })

#define YIELD "movs r1, #0\n\tmovs r2, #1\n\tsvc 0" // the call that bulkhead_yield() makes

void left_main(void);
void left_main(void) {
    for (uint32_t round = 0; round < ROUNDS; round++) {
        require(PASS(round << 8, YIELD) == 0, "registers were lost in a call");
        require(PASS(round << 8 | 0x40000000u, "nop") == 0, "registers were lost in an interrupt");
        use_regions(LEFT, round);
    }
    require(visits > 100, "the tick did not preempt");
    require(looks == LOOKERS, "a thread did not look");
    say("floating: rounds ");
    say_number(ROUNDS);
    say(", preempted ");
    say_number(visits);
    succeed();
}

void right_main(void);
void right_main(void) {
    for (uint32_t round = 0;; round++) {
        require(PASS(~round << 8, YIELD) == 0, "registers were lost in a call");
        use_regions(RIGHT, round);
    }
}

void visitor_main(void);
void visitor_main(void) {
    for (;;) {
        require(PASS(visits << 8 | 0x55u, "nop") == 0, "registers were lost in an interrupt");
        bulkhead_delay(1);
        visits++;
    }
}

// Requires that the floating-point registers have no values. Called by a thread that has executed
// no floating-point instruction.
static __attribute__((target("general-regs-only"))) void look(void) {
    uint32_t found[32], all;
    __asm__ volatile(".fpu fpv4-sp-d16\n\tvstmia %1, {s0-s31}\n\tvmrs %0, fpscr"
                     : "=&r"(all)
                     : "r"(found)
                     : "memory");
    all &= FLAGS;
    for (uint32_t i = 0; i < 32; i++) {
        all |= found[i];
    }
    require(all == 0, "another process's registers can be seen");
    looks++;
}

// Looks after other threads have used the registers. Then tries, at each tick, to make other
// threads store its own registers to their memory.
void looker_main(void);
__attribute__((target("general-regs-only"))) void looker_main(void) {
    bulkhead_delay(LOOK_AFTER_TICKS);
    look();
    for (;;) {
        store_floats_later(second_start);
        bulkhead_delay(1);
    }
}

// Looks directly after the looker has used the registers in this way.
void heir_main(void);
__attribute__((target("general-regs-only"))) void heir_main(void) {
    bulkhead_delay(2 * LOOK_AFTER_TICKS);
    look();
    for (;;) {
        bulkhead_delay(BULKHEAD_FOREVER);
    }
}
