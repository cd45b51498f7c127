// SPDX-License-Identifier: MIT
//
// What the judge tells the attacker to do, and what the attacker says of it. The attacker may have
// spoiled what it says: the judge believes only that it went on (`done`), and only if what it was
// told cannot write there.
//
// Which registers there are and what can be done with them is the architecture's:
// machine_order.h, which also has the handles.
#ifndef ORDER_H
#define ORDER_H

#include <machine_order.h>

#define ORDER_REGISTERS 32
#define ORDER_AFTER (ORDER_REGISTERS + 4 * CORE_REGISTERS)
#define ORDER_MACHINE (ORDER_AFTER + 4 * CORE_REGISTERS)
#define ORDER_LEAKED 16

#ifndef __ASSEMBLER__
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum kind {
    NOTHING,
    LEGAL, // what it has a right to
    LOAD,
    STORE,
    JUMP,      // to `address`
    CALL,      // a system call with `registers`
    STORM,     // many calls, from the seed in the first register
    STACK,     // with the stack pointer at `address`
    FORGE,     // `registers` into what is kept of a thread that waits
    PRIVILEGE, // an instruction that is not for threads
    LOOK,      // at registers that others used
    KINDS,
};

struct order {
    uint32_t kind, variant;
    uint32_t address;
    uint32_t done;
    uint32_t leaked;  // what a thread that just began found in its registers
    uint32_t calls;   // STORM: how many came back …
    uint32_t changed; // … and whether one changed a register
    uint32_t unused;
    uint32_t registers[CORE_REGISTERS];
    uint32_t after[CORE_REGISTERS]; // of CALL
    struct machine_order machine;
};
_Static_assert(offsetof(struct order, leaked) == ORDER_LEAKED, "assembler's");
_Static_assert(offsetof(struct order, registers) == ORDER_REGISTERS, "assembler's");
_Static_assert(offsetof(struct order, machine) == ORDER_MACHINE, "assembler's");

extern volatile struct order order;

static inline uint32_t order_handle(const volatile struct order *given) {
    return given->registers[HANDLE] / HANDLE_SCALE;
}

// Those of LEGAL are in attacker.c, the others are the architecture's.
enum { LEGALS = 23 };
#endif

#endif
