// SPDX-License-Identifier: MIT
//
// The kernel's part of the test of leases. The linker makes the kernel call this code in place of
// its copy function. An access to the address that the test names is redirected to an address at
// which no machine has memory, so that the bus refuses it. This file is linked into the kernel.
#include "lease.h"
#include <arch/console.h>

enum { NOWHERE = 0xF8000000 }; // in no memory and no device of these machines

bool __real_arch_copy_lent(uint32_t to, uint32_t from, uint32_t bytes);
bool __wrap_arch_copy_lent(uint32_t to, uint32_t from, uint32_t bytes);
_Noreturn void __real_arch_panic(void);
_Noreturn void __wrap_arch_panic(void);
#ifndef __riscv
struct arch_frame;
void __real_arch_kernel_fault(struct arch_frame *frame);
void __wrap_arch_kernel_fault(struct arch_frame *frame);
#endif

// Returns an address on the bus without memory, at the same distance to the next word as `address`,
// because the copy chooses its instructions by this distance.
static uint32_t on_bus(uint32_t address, uint32_t bytes) {
    return bus_refuses - address < bytes ? NOWHERE + address % 4 : address;
}

bool __wrap_arch_copy_lent(uint32_t to, uint32_t from, uint32_t bytes) {
    if (bus_refuses == KERNEL_ERRS) {
        (void)*(volatile uint32_t *)NOWHERE;
    }
    return __real_arch_copy_lent(on_bus(to, bytes), on_bus(from, bytes), bytes);
}

#ifndef __riscv
#define CFSR (*(volatile uint32_t *)0xE000ED28u)
#define CFSR_BUS 0x0000FF00u
#define SHCSR (*(volatile uint32_t *)0xE000ED24u)
#define SHCSR_BUSFAULTPENDED (1u << 14)

// Lets another bus fault come while the kernel handles the bus fault of a copy, as on a core that
// reports the refusal of several stores late. The emulator reports each store at once.
void __wrap_arch_kernel_fault(struct arch_frame *frame) {
    if (bus_refuses > KERNEL_ERRS && (CFSR & CFSR_BUS) != 0) {
        SHCSR |= SHCSR_BUSFAULTPENDED;
    }
    __real_arch_kernel_fault(frame);
}
#endif

// On RV32 the function that stops the system is in the file that calls it, so the linker cannot
// wrap it.
_Noreturn void __wrap_arch_panic(void) {
    if (bus_refuses != 0) {
        arch_exit(bus_refuses == KERNEL_ERRS ? 0 : 1);
    }
    __real_arch_panic();
}
