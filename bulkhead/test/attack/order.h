// SPDX-License-Identifier: MIT
//
// What the judge tells the attacker to do, and what the attacker says of it. The attacker may have
// spoiled what it says: the judge believes only that it went on (`done`), and only if what it was
// told cannot write there.
#ifndef ORDER_H
#define ORDER_H

#define ORDER_KIND 0
#define ORDER_VARIANT 4
#define ORDER_ADDRESS 8
#define ORDER_REGISTERS 12
#define ORDER_AFTER 64
#define ORDER_DONE 116
#define ORDER_LEAKED 120
#define ORDER_FLOATING 124
#define ORDER_FRAME_END 384
#define ORDER_BYTES 416

#define CORE_REGISTERS 13
#define FLOATING_REGISTERS 32
#define FRAME_WORDS 8
#define BEHIND 0xBE41D000 // what lies behind the frame

#ifndef __ASSEMBLER__
#include "handles.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum kind {
    NOTHING,
    LEGAL, // what it has a right to
    LOAD,
    STORE,
    JUMP,      // to `address`
    CALL,      // SVC with `registers`
    STORM,     // many calls, from the seed in registers[0]
    STACK,     // with the stack pointer at `address`
    FORGE,     // `registers` into the frame of a thread that waits
    PRIVILEGE, // an instruction that is not for threads
    LOOK,      // at the floating-point registers
    KINDS,
};

struct order {
    uint32_t kind, variant;
    uint32_t address;
    uint32_t registers[CORE_REGISTERS]; // r0 to r12
    uint32_t after[CORE_REGISTERS];     // of CALL
    uint32_t done;
    uint32_t leaked; // what a thread that just began found in its registers
    uint32_t floating[FLOATING_REGISTERS];
    uint32_t calls, changed;      // STORM: how many came back, and whether one changed a register
    uint32_t place[31];           // FORGE: of the frame, at its end …
    uint32_t behind[FRAME_WORDS]; // … and of what would be one if the frame were taken off
};
_Static_assert(offsetof(struct order, behind) == ORDER_FRAME_END, "assembler's");
_Static_assert(sizeof(struct order) == ORDER_BYTES, "assembler's");

extern volatile struct order order;

// Whether a call with this handle brings the register back as it was (svc.h): all but the result, a
// value and what is left of a timeout, and the words of a call to a gate.
static inline bool order_is_kept(uint32_t handle, uint32_t number) {
    enum { RIGHTS = 32 }; // the length of a table of rights: handles are taken modulo it
    const bool is_word = number >= 8 && number <= 11 && handle % RIGHTS == GATE_CLERK;
    return number != 0 && number != 3 && number != 12 && !is_word;
}

// Variants. Those of LEGAL are in attacker.c, each other is a routine of hostile.S.
enum { LEGALS = 23, LOADS = 10, STORES = 9, STACKS = 6, PRIVILEGES = 17 };
#endif

#endif
