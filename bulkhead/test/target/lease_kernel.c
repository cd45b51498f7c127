// SPDX-License-Identifier: MIT
//
// The kernel's part of the test of leases: the linker puts it before the copy. An access to the
// address that the test names goes to an address at which no machine has anything, so that the bus
// refuses it. This file is linked into the kernel.
#include "lease.h"
#include <arch/console.h>

enum { NOWHERE = 0xF8000000 }; // in no memory and no device of these machines

bool __real_arch_copy_lent(uint32_t to, uint32_t from, uint32_t bytes);
bool __wrap_arch_copy_lent(uint32_t to, uint32_t from, uint32_t bytes);
_Noreturn void __real_arch_panic(void);
_Noreturn void __wrap_arch_panic(void);

// Keeps the distance to a word, by which the copy chooses its instructions.
static uint32_t on_bus(uint32_t address, uint32_t bytes) {
    return bus_refuses - address < bytes ? NOWHERE + address % 4 : address;
}

bool __wrap_arch_copy_lent(uint32_t to, uint32_t from, uint32_t bytes) {
    if (bus_refuses == KERNEL_ERRS) {
        (void)*(volatile uint32_t *)NOWHERE;
    }
    return __real_arch_copy_lent(on_bus(to, bytes), on_bus(from, bytes), bytes);
}

// On RV32 the stop is in the file that stops, so the linker puts nothing before it.
_Noreturn void __wrap_arch_panic(void) {
    if (bus_refuses == KERNEL_ERRS) {
        arch_exit(0);
    }
    __real_arch_panic();
}
