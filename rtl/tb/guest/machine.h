// SPDX-License-Identifier: MIT
//
// The registers of a node (rtl/README.md) for the test programs, and functions to print text and to
// end a program.
#ifndef MACHINE_H
#define MACHINE_H

#include <stdint.h>

#define REGISTER(address) (*(volatile uint32_t *)(address))

// Devices at the same addresses as in QEMU's `virt` machine.
#define FINISHER REGISTER(0x00100000)
#define SOFTWARE_INTERRUPT(hart) REGISTER(0x02000000 + 4 * (hart))
#define TIME_COMPARE(hart) (&REGISTER(0x02004000 + 8 * (hart)))
#define TIME REGISTER(0x0200bff8)
#define CONSOLE (*(volatile uint8_t *)0x10000000)
#define CONSOLE_INTERRUPTS (*(volatile uint8_t *)0x10000001) // 2: when the transmitter is empty
#define CONSOLE_SCRATCH (*(volatile uint8_t *)0x10000007)
#define INTERRUPT_PRIORITY REGISTER(0x0c000028)
#define INTERRUPT_ENABLE REGISTER(0x0c002000)
#define INTERRUPT_CLAIM REGISTER(0x0c200004)
#define CONSOLE_SOURCE 10

// The shared registers.
#define ANSWER REGISTER(0x11000000)
#define PENDING REGISTER(0x11000004)
#define BITS REGISTER(0x11000008)
#define NODES REGISTER(0x1100000c)
#define WORD_FROM(node) REGISTER(0x11000010 + 4 * (node))
#define GLOBAL ((volatile uint32_t *)0x90000000)
#define LOCK(number) REGISTER(0xa0000000 + 4 * (number))
#define RING_WORD(node) REGISTER(0xb0000000 + 8 * (node))
#define RING_BITS(node) REGISTER(0xb0000004 + 8 * (node))
#define RTU(op, argument) REGISTER(0xc0000000 + ((op) << 18) + ((argument) << 2))

enum rtu_op { NEXT, YIELD, TAKE, GIVE, SIGNAL, DELAY, CREATE, EXIT, PRIORITY, INIT, TICK };
#define RTU_ERROR 0x80000000u
#define RTU_NONE 0x40000000u
#define RTU_NEXT(answer) ((answer) & 0xff)
#define RTU_CREATED(answer) ((answer) >> 8 & 0xff)

#define INTERRUPT 0x80000000u
enum interrupt { SOFTWARE = 3, TIMER = 7, EXTERNAL = 11 };
enum exception { FETCH_FAULT = 1, LOAD_FAULT = 5, STORE_FAULT = 7 };
enum error { LOAD_ERROR = 1024, STORE_ERROR = 1025 }; // non-maskable interrupts of CV32E40S

#define READ_CSR(name)                                      \
    ({                                                      \
        uint32_t value_;                                    \
        __asm__ volatile("csrr %0, " #name : "=r"(value_)); \
        value_;                                             \
    })
#define SET_CSR(name, bits) __asm__ volatile("csrs " #name ", %0" ::"r"(bits) : "memory")
#define WRITE_CSR(name, value) __asm__ volatile("csrw " #name ", %0" ::"r"(value) : "memory")
#define ENABLE_INTERRUPTS() SET_CSR(mstatus, 8)

static inline void print(const char *text) {
    while (*text) {
        CONSOLE = (uint8_t)*text++;
    }
}

static inline void print_number(uint32_t number) {
    char digits[11] = {0};
    int place = 10;
    do {
        digits[--place] = (char)('0' + number % 10);
    } while (number /= 10);
    print(&digits[place]);
}

_Noreturn static inline void finish(uint32_t word) {
    FINISHER = word;
    for (;;) {
    }
}

// PASS ends the program with success. REQUIRE ends it with a failure and a message, unless
// `condition` holds.
#define PASS() finish(0x5555)
#define REQUIRE(condition, reason)       \
    do {                                 \
        if (!(condition)) {              \
            print("FAIL: " reason "\n"); \
            finish(0x3333 | 1 << 16);    \
        }                                \
    } while (0)

// Jumps to an address that must not be executable. The program's trap() must return `fetch_return`,
// so that the program continues after the jump.
#define JUMP_TO(address, fetch_return)                     \
    __asm__ volatile("la t0, 1f\n\tsw t0, %0\n\tjr %1\n1:" \
                     : "=m"(fetch_return)                  \
                     : "r"(address)                        \
                     : "t0", "memory")

// Handles a trap. Each program defines it; it returns the address at which to continue.
uint32_t trap(uint32_t cause, uint32_t pc);

#endif
