// SPDX-License-Identifier: MIT
//
// Interrupt lines on the PLIC: a line is a source of the PLIC with the same number. Software pends
// a line by the software interrupt; `requested` has the lines that software has pended.
//
// A line that its own handler masks stays claimed, so the PLIC forwards no other request of its
// device. To unmask the line completes the claim. A device that still asserts its line then
// requests an interrupt again; otherwise the request is gone. So arch_line_forget has nothing to
// clear.
//
// Source: RISC-V Platform-Level Interrupt Controller Specification 1.0.0; QEMU's `virt` machine
// (hw/riscv/virt.c) for the addresses, of hart 0 in machine mode.
#include <arch.h>
#include <bulkhead/lines.h>

#define MSIP (*(volatile uint32_t *)0x02000000u)
#define PLIC_PRIORITY ((volatile uint32_t *)0x0C000000u)
#define PLIC_ENABLE (*(volatile uint32_t *)0x0C002000u)
#define PLIC_CLAIM (*(volatile uint32_t *)0x0C200004u)

extern void (*const bulkhead_handlers[])(void); // from the declaration

static uint32_t enabled, claimed, requested; // one bit for each line

void arch_line_mask(const struct arch_line *line) {
    enabled &= ~(1u << line->number);
}

static void complete(uint32_t number) {
    claimed &= ~(1u << number);
    PLIC_CLAIM = number;
}

void arch_line_unmask(const struct arch_line *line) {
    const uint32_t bit = 1u << line->number;
    enabled |= bit;
    PLIC_PRIORITY[line->number] = 1;
    PLIC_ENABLE |= bit;
    if (claimed & bit) {
        complete(line->number);
    }
    if (requested & bit) {
        MSIP = 1;
    }
}

void arch_line_forget(const struct arch_line *line) {
    (void)line;
}

void arch_line_pend(uint32_t number) {
    requested |= 1u << number;
    MSIP = 1;
}

static void serve_requested(void) {
    MSIP = 0;
    while ((requested & enabled) != 0) {
        const uint32_t number = 31 - arch_leading_zeroes(requested & enabled);
        requested &= ~(1u << number);
        bulkhead_handlers[number]();
    }
}

void bulkhead_lines_serve(void) {
    serve_requested();
    const uint32_t number = PLIC_CLAIM;
    if (number == 0) {
        return;
    }
    claimed |= 1u << number;
    bulkhead_handlers[number]();
    if (enabled & 1u << number) {
        complete(number);
    }
}
