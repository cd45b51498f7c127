// SPDX-License-Identifier: MIT
//
// RV32 part of witness.c: the linker wraps the board's function for interrupt lines
// (bulkhead/lines.h) with a function that runs the witness. The judge has the right to pend a line,
// and so calls the witness. If a kernel does not deliver this interrupt, the test never ends.
//
// Source: Privileged Architecture (version 20211203) 3.1, 3.7; QEMU's `virt` machine for addresses.
#include "machine_witness.h"
#include "kernel.h"
#include "witness.h"
#include <bulkhead/lines.h>

#define WORD(address) (*(volatile uint32_t *)(uintptr_t)(address))

#define MTIME_LOW WORD(0x0200BFF8u)
#define MTIME_HIGH WORD(0x0200BFFCu)
#define PLIC_ENABLE WORD(0x0C002000u)

#define CODE 0x80000000u
#define DATA 0x80080000u
enum { CODE_BYTES = 0x20000, DATA_BYTES = 0x8000 };

extern char memory_stack_top[];

// The linker places the kernel's state and stack within the range of the code, so the code is the
// range before them and the range after them.
const struct witness_range machine_data[] = {{&kernel, memory_stack_top},
                                             {(void *)DATA, (void *)(DATA + DATA_BYTES)}};
const struct witness_range machine_code[] = {{(void *)CODE, &kernel},
                                             {memory_stack_top, (void *)(CODE + CODE_BYTES)}};
const struct witness_range machine_kernel_stack = {&kernel + 1, memory_stack_top};

#define ADD_REGISTER(sum, name)                           \
    do {                                                  \
        uint32_t value;                                   \
        __asm__ volatile("csrr %0, " name : "=r"(value)); \
        sum = witness_add(sum, value);                    \
    } while (0)

uint32_t machine_register_sum(void) {
    uint32_t sum = PLIC_ENABLE;
    ADD_REGISTER(sum, "mstatus");
    ADD_REGISTER(sum, "mtvec");
    ADD_REGISTER(sum, "mie");
    ADD_REGISTER(sum, "mcounteren");
    ADD_REGISTER(sum, "pmpcfg0");
    ADD_REGISTER(sum, "pmpcfg1");
    ADD_REGISTER(sum, "pmpaddr0");
    ADD_REGISTER(sum, "pmpaddr1");
    ADD_REGISTER(sum, "pmpaddr2");
    ADD_REGISTER(sum, "pmpaddr3");
    return sum;
}

// Runs the witness, and then sets the clock back, so that the witness takes no time of the tested
// system.
static void look(void) {
    const uint32_t high = MTIME_HIGH, low = MTIME_LOW;
    witness_look();
    MTIME_HIGH = high;
    MTIME_LOW = low;
}

void __real_bulkhead_lines_serve(void);
void __wrap_bulkhead_lines_serve(void);
void __wrap_bulkhead_lines_serve(void) {
    if (witness_request.request != 0) {
        look();
    }
    __real_bulkhead_lines_serve();
}
