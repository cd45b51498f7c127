// SPDX-License-Identifier: MIT
//
// Checks the banks of registers of the core `ibex-banks`, and measures the cycles that they save in
// a task switch: by a call and by an interrupt, with registers in memory and in banks. The measured
// switches are in banks.S; they do what a kernel's switch does, except choosing the next task.
#include "machine.h"

#define BANK REGISTER(0xfffffffc)
#define BANKS 8

// The next functions are in banks.S. Gives each register r of bank b the value 32 × b + r.
void banks_fill(uint32_t bank);
// Sets `result` to 0 if all registers of the bank have that value.
void banks_compare(uint32_t bank);
extern volatile uint32_t result;
// Selects a bank, sets `result` to the bank that is then selected, and selects bank 0.
void banks_select(uint32_t bank);
// Selects a bank with the privilege of a task, and returns the cause of the trap that follows.
uint32_t banks_store_as_task(uint32_t bank);
// Return the cycles of one switch, with registers in banks if `banks` is not 0, else in memory.
uint32_t banks_cycles_of_call(uint32_t banks);
uint32_t banks_cycles_of_interrupt(uint32_t banks);

static volatile uint32_t refused;

uint32_t trap(uint32_t cause, uint32_t pc) {
    refused++;
    REQUIRE(cause == STORE_FAULT, "unexpected trap");
    return pc + 4;
}

static void require_kept(uint32_t bank) {
    result = 1;
    banks_compare(bank);
    REQUIRE(result == 0, "a register has lost its value");
    REQUIRE(BANK == 0, "the bank is not 0 again");
}

static void test_banks_keep_registers(void) {
    for (uint32_t bank = 1; bank < BANKS; bank++) {
        banks_select(bank);
        REQUIRE(result == bank, "another bank is selected");
        banks_fill(bank);
    }
    for (uint32_t bank = BANKS - 1; bank > 0; bank--) {
        require_kept(bank);
    }
}

#define STORE_TO_PART(instruction, address)                                                     \
    __asm__ volatile(".option push\n.option norvc\n\t" instruction " zero, " address "(zero)\n" \
                     "\t.option pop" ::                                                         \
                         : "memory")

static void test_refusals(void) {
    STORE_TO_PART("sb", "-4");
    STORE_TO_PART("sh", "-2");
    REQUIRE(refused == 2, "a store to a part of the word is not refused");
    WRITE_CSR(pmpaddr0, (0x80000000 >> 2) | 0x1fff); // 64 KiB: the program
    WRITE_CSR(pmpcfg0, 0x1f);
    REQUIRE(banks_store_as_task(5) == STORE_FAULT, "a task selects a bank");
    REQUIRE(BANK == 0, "a refused store selects a bank");
    WRITE_CSR(pmpcfg0, 0);
}

// Checks that the core sleeps in WFI until an interrupt is pending.
static void test_sleep(void) {
    const uint32_t end = TIME + 200;
    TIME_COMPARE(0)[0] = end;
    TIME_COMPARE(0)[1] = 0;
    WRITE_CSR(mie, 1 << TIMER);
    __asm__ volatile("wfi");
    REQUIRE(TIME >= end, "the core did not sleep");
    WRITE_CSR(mie, 0);
}

static void show(const char *what, uint32_t saved, uint32_t banked) {
    print(what);
    print_number(saved);
    print(" cycles, with banks ");
    print_number(banked);
    print("\n");
    REQUIRE(banked < saved, "banks save nothing");
}

int main(uint32_t hart) {
    test_banks_keep_registers();
    test_refusals();
    test_sleep();
    show("call ", banks_cycles_of_call(0), banks_cycles_of_call(1));
    show("interrupt ", banks_cycles_of_interrupt(0), banks_cycles_of_interrupt(1));
    print("bank ");
    print_number(hart);
    print(" is well\n");
    PASS();
}
