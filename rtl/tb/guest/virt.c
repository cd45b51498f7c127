// SPDX-License-Identifier: MIT
//
// Tests the common part of a node and QEMU's `virt` machine: boot with a0 = hart, console, timer,
// software and device interrupt, access faults, memory protection, the finisher. The same image
// must print the same text on both, and on every node.
#include "machine.h"

static uint32_t hart;
static volatile uint32_t software_interrupts, timer_interrupts, device_interrupts, faults;
static volatile uint32_t fetch_faults, fetch_fault_at, fetch_return;
static volatile uint32_t interrupted_at;

uint32_t trap(uint32_t cause, uint32_t pc) {
    switch (cause) {
    case INTERRUPT | SOFTWARE:
        interrupted_at = pc;
        software_interrupts++;
        SOFTWARE_INTERRUPT(hart) = 0;
        return pc;
    case INTERRUPT | TIMER:
        interrupted_at = pc;
        timer_interrupts++;
        TIME_COMPARE(hart)[1] = UINT32_MAX;
        return pc;
    case INTERRUPT | EXTERNAL:
        interrupted_at = pc;
        device_interrupts++;
        REQUIRE(INTERRUPT_CLAIM == CONSOLE_SOURCE, "the claim is not of the console");
        CONSOLE_INTERRUPTS = 0;
        REQUIRE(INTERRUPT_CLAIM == 0, "a source is claimed twice");
        INTERRUPT_CLAIM = CONSOLE_SOURCE;
        return pc;
    case FETCH_FAULT:
        fetch_faults++;
        fetch_fault_at = pc;
        return fetch_return;
    case LOAD_FAULT:
    case STORE_FAULT:
        faults++;
        return pc + 4;
    case INTERRUPT | LOAD_ERROR:
    case INTERRUPT | STORE_ERROR:
        faults++;
        return pc; // now the instruction after the access
    default:
        REQUIRE(0, "unexpected trap");
        return pc;
    }
}

static void test_interrupts(void) {
    TIME_COMPARE(hart)[1] = UINT32_MAX; // mtimecmp is 0 at reset on QEMU
    SET_CSR(mie, 1 << SOFTWARE | 1 << TIMER);
    ENABLE_INTERRUPTS();
    SOFTWARE_INTERRUPT(hart) = 1;
    while (!software_interrupts) {
    }
    TIME_COMPARE(hart)[0] = TIME + 200;
    TIME_COMPARE(hart)[1] = 0;
    while (!timer_interrupts) {
    }
    REQUIRE(software_interrupts == 1, "the software interrupt came more than once");
    REQUIRE(timer_interrupts == 1, "the timer interrupt came more than once");
}

// Tells whether the core takes an interrupt that a store causes before the next instruction. Only
// then does an image execute the same instructions on a node and on QEMU.
#define INTERRUPTED_AFTER_STORE(width, value, address)          \
    ({                                                          \
        uint32_t next_;                                         \
        __asm__ volatile("la %0, 1f\n\t" width " %1, 0(%2)\n1:" \
                         : "=&r"(next_)                         \
                         : "r"(value), "r"(address)             \
                         : "memory");                           \
        interrupted_at == next_;                                \
    })

static void test_requests(void) {
    INTERRUPT_PRIORITY = 1;
    INTERRUPT_ENABLE = 1 << CONSOLE_SOURCE;
    SET_CSR(mie, 1 << EXTERNAL);
    for (uint32_t i = 1; i <= 3; i++) {
        CONSOLE_SCRATCH = (uint8_t)i;
        REQUIRE(INTERRUPTED_AFTER_STORE("sb", 2, &CONSOLE_INTERRUPTS),
                "the device's interrupt does not come at once");
        REQUIRE(device_interrupts == i, "the device interrupts more than once");
        REQUIRE(CONSOLE_SCRATCH == i, "the scratch register does not keep its value");
    }
    REQUIRE(INTERRUPTED_AFTER_STORE("sw", 1, &SOFTWARE_INTERRUPT(hart)),
            "the software interrupt does not come at once");
    TIME_COMPARE(hart)[0] = 0;
    REQUIRE(INTERRUPTED_AFTER_STORE("sw", 0, &TIME_COMPARE(hart)[1]),
            "the timer's interrupt does not come at once");
    REQUIRE(timer_interrupts == 2, "the timer interrupts more than once");
}

// Makes uncompressed accesses, so that the handler knows their length. Two NOPs follow each access,
// because CV32E40S reports an error by an interrupt, up to two instructions later.
static void test_faults(void) {
    const uint32_t nowhere = 0x18000000;
    __asm__ volatile(".option push\n.option norvc\n\tlw t0, 0(%0)\n\tnop\n\tnop\n"
                     "\tsw t0, 0(%0)\n\tnop\n\tnop\n.option pop" ::"r"(nowhere)
                     : "t0", "memory");
    REQUIRE(faults == 2, "an address without a target does not fault");
}

static void require_fetch_fault(uint32_t address, uint32_t count) {
    JUMP_TO(address, fetch_return);
    REQUIRE(fetch_faults == count, "a fetch does not fault");
    REQUIRE(fetch_fault_at == address, "a fetch faults at another address");
}

// A function that memory protection forbids to execute and to overwrite, also in machine mode.
#define LOCKED_READ_ONLY_WORD 0x91 // L, NA4, R
void forbidden(void);
__asm__(".balign 4\n.option push\n.option norvc\nforbidden: ret\n.option pop");

static void test_fetch_faults(void) {
    const uint32_t address = (uint32_t)forbidden;
    require_fetch_fault(0x18000000, 1);
    require_fetch_fault(0xfffffffc, 2);
    forbidden();
    WRITE_CSR(pmpaddr0, address >> 2);
    WRITE_CSR(pmpcfg0, LOCKED_READ_ONLY_WORD);
    require_fetch_fault(address, 3);
    REQUIRE(REGISTER(address) == 0x00008067, "a word that may be read cannot be read");
    __asm__ volatile(".option push\n.option norvc\n\tsw zero, 0(%0)\n.option pop" ::"r"(address)
                     : "memory");
    REQUIRE(faults == 3 && REGISTER(address) == 0x00008067, "a read-only word was written");
}

int main(uint32_t boot_hart) {
    hart = boot_hart;
    REQUIRE(hart == READ_CSR(mhartid), "a0 is not the hart");
    test_interrupts();
    if (hart == 0) {
        test_requests();
    }
    test_faults();
    test_fetch_faults();
    print("hart ");
    print_number(hart);
    print(" is well\n");
    PASS();
}
