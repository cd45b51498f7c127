// SPDX-License-Identifier: MIT
//
// Tests the record of faults and resets, which survives a reset. The test resets the system in each
// way that the record distinguishes: by a call, by an error in the kernel, by the watchdog while a
// thread or the kernel hangs, by a process that reaches its limit of restarts. After each reset,
// the thread `keeper` reads from the record what happened, requires that this is right, and causes
// the next reset. No other state survives the reset.
#include "record.h"
#include "report.h"
#include "watchdog.h"
#include <bulkhead/supervise.h>
#include <handles.h>

enum { PERIOD_TICKS = 4, FIRST_REASON = 0xABC, SECOND_REASON = 0xDEF };
enum { WATCHDOG_COUNTS = 20 * TICK_COUNTS, CODE_BYTES = 512 };

volatile uint32_t twin, kernel_order, tick_address, record_address, flip_word, flip;
volatile bool flip_stays, faulty_crashes, hostile_attacks;
volatile uint32_t hostile_target, hostile_denied, hostile_not_denied;

static struct bulkhead_supervised states[POLICIES_KEEPER_MAIN];
static struct bulkhead_supervisor supervisor = {.policies = bulkhead_policies_keeper_main,
                                                .states = states,
                                                .count = POLICIES_KEEPER_MAIN,
                                                .period_ticks = PERIOD_TICKS};
static struct bulkhead_record_entry entry;

void keeper_main_entry(void);

static bool read(uint32_t age) {
    return bulkhead_record_read(RECORD_BLACK_BOX, age, &entry) == BULKHEAD_OK;
}

static void require_entry(uint32_t age, uint32_t cause, uint32_t thread, const char *line) {
    require(read(age) && entry.cause == cause && entry.thread == thread, line);
}

static void reset(uint32_t reason) {
    (void)bulkhead_record_reset(RECORD_BLACK_BOX, reason);
    require(false, "a reset returns");
}

static bool is_near(uint32_t pc, uint32_t address) {
    return pc - (address & ~1u) < CODE_BYTES;
}

// --- Attacks on the record -----------------------------------------------------------------------

static void supervise_until(enum bulkhead_event_kind kind) {
    while (bulkhead_supervise(&supervisor).kind != kind) {
    }
}

// Lets the process without the right write to `address`. The write is a fault, and the record must
// get an entry of this fault.
static void attack_address(uint32_t address) {
    hostile_target = address;
    hostile_attacks = true;
    supervise_until(BULKHEAD_FAULTED);
    require_entry(0, BULKHEAD_CAUSE_FAULT, THREAD_HOSTILE_MAIN, "a fault is not recorded");
    require(entry.kind == BULKHEAD_FAULT_DATA && entry.address == address && entry.start == 1,
            "another fault is recorded");
    supervise_until(BULKHEAD_RESTARTED);
}

static void attack_by_calls(void) {
    hostile_target = 0;
    hostile_attacks = true;
    bulkhead_delay(2 * PERIOD_TICKS);
    require(hostile_denied == (HANDLES - 1) * BULKHEAD_METHODS && hostile_not_denied == 0,
            "a process without the right makes a call");
}

// Lets a second process fault while the kernel handles the fault of the first one. The record must
// get both faults.
static void crash_twins(void) {
    twin = THREAD_TWIN_HIGH_MAIN - BULKHEAD_FIRST_THREAD + 1;
    bulkhead_delay(PERIOD_TICKS);
    require_entry(0, BULKHEAD_CAUSE_FAULT, THREAD_TWIN_LOW_MAIN, "the first fault is lost");
    require_entry(1, BULKHEAD_CAUSE_FAULT, THREAD_TWIN_HIGH_MAIN, "the second fault is lost");
}

// After the two twins, the hostile process has faulted more often than the record has entries. Only
// its last two faults may be left, so that faults of other processes are kept.
static void require_entries_of_others(void) {
    require_entry(0, BULKHEAD_CAUSE_FAULT, THREAD_HOSTILE_MAIN, "the last fault is not recorded");
    const uint32_t number = entry.number;
    require_entry(1, BULKHEAD_CAUSE_FAULT, THREAD_HOSTILE_MAIN, "the last fault but one is lost");
    require(entry.number == number - 1, "another fault is left");
    require_entry(2, BULKHEAD_CAUSE_FAULT, THREAD_TWIN_LOW_MAIN, "others' faults are lost");
    require_entry(3, BULKHEAD_CAUSE_FAULT, THREAD_TWIN_HIGH_MAIN, "others' faults are lost");
    require(!read(4), "a process has more entries than others");
}

// Flips each bit of the newest entry and of its checksum, one at a time. The entry must then be
// invalid.
static void flip_each_bit(void) {
    require(read(0), "there is no entry");
    for (flip_word = 0; flip_word < ENTRY_WORDS; flip_word++) {
        for (flip = 1; flip != 0; flip <<= 1) {
            require(!read(0), "an entry with another bit is read");
        }
    }
    require(read(0), "an entry is lost");
}

// --- The starts of the system --------------------------------------------------------------------

static void begin_after_power_on(void) {
    require(!read(0) && !read(1) && !read(UINT32_MAX), "an empty record has an entry");
    bulkhead_delay(1);
    attack_by_calls();
    crash_twins();
    for (uint32_t i = 0; i < BULKHEAD_RECORD_ENTRIES + 2; i++) {
        attack_address(record_address + 4 * i);
    }
    attack_address(WATCHDOG + 0xC);
    require_entries_of_others();
    require(bulkhead_record_read(RECORD_BLACK_BOX, 0, (void *)record_address) == BULKHEAD_DENIED,
            "the record is copied to the kernel's memory");
    flip_each_bit();
    reset(FIRST_REASON);
}

// After the reset by a call. Flips a bit of the newest entry, so that the next start finds an
// invalid entry before the newest one and continues the numbers.
static void begin_after_call(void) {
    require_entry(0, BULKHEAD_CAUSE_RESET, THREAD_KEEPER_MAIN, "a reset is not recorded");
    require(entry.kind == FIRST_REASON && entry.start == 1, "another reset is recorded");
    require_entry(1, BULKHEAD_CAUSE_FAULT, THREAD_HOSTILE_MAIN, "a fault does not survive");
    flip_word = 3;
    flip = 1 << 7;
    flip_stays = true;
    require(!read(0), "an entry with another bit is read");
    reset(SECOND_REASON);
}

static void begin_after_flip(void) {
    require_entry(0, BULKHEAD_CAUSE_RESET, THREAD_KEEPER_MAIN, "a later entry is not recorded");
    require(entry.kind == SECOND_REASON && entry.start == 2, "another reset is recorded");
    require(entry.number == LAST_NUMBER, "the numbers have not changed");
    require_entry(1, BULKHEAD_CAUSE_FAULT, THREAD_HOSTILE_MAIN, "an earlier entry is lost");
    require(entry.number == LAST_NUMBER - 2, "an entry that has changed before a reset is read");
    kernel_order = KERNEL_PANICS;
    bulkhead_delay(3);
    require(false, "a kernel with an error goes on");
}

// Requires that the entry of this age follows the one that the kernel wrote just before.
static void require_interrupted(uint32_t age) {
    require(read(age + 1) && entry.kind == INTERRUPTED, "an entry that was complete is lost");
    const uint32_t number = entry.number;
    require(read(age) && entry.number == number + 1, "two entries have a number, or one is lost");
}

static void require_panic(void) {
    require_interrupted(0);
    require(read(0) && entry.cause == BULKHEAD_CAUSE_PANIC, "a panic is not recorded");
    require(entry.number == LAST_NUMBER + 2, "a number is lost");
    require(entry.start == 3 && entry.kind != 0, "another panic is recorded");
    require(is_near(entry.pc, tick_address), "a panic is recorded for another place");
}

static void crash_to_limit(void) {
    faulty_crashes = true;
    supervise_until(BULKHEAD_GAVE_UP);
    (void)bulkhead_supervise(&supervisor);
    require(false, "the escalation returns");
}

static void require_escalation(void) {
    require_entry(0, BULKHEAD_CAUSE_RESET, THREAD_KEEPER_MAIN, "the escalation is not recorded");
    require(entry.kind == PROCESS_FAULTY, "the escalation is another process's");
    require_entry(1, BULKHEAD_CAUSE_FAULT, THREAD_FAULTY_MAIN, "the last crash is lost");
    require_entry(2, BULKHEAD_CAUSE_FAULT, THREAD_FAULTY_MAIN, "a crash is lost");
    require(entry.number < LAST_NUMBER, "the numbers have not wrapped");
    require(read(3 * HAS_WATCHDOG + 3) &&
                entry.cause == (HAS_WATCHDOG ? BULKHEAD_CAUSE_WATCHDOG : BULKHEAD_CAUSE_PANIC),
            "an entry is lost as the numbers wrap");
}

#if HAS_WATCHDOG
static __attribute__((noinline)) void spin(void) {
    for (;;) {
    }
}

// While all supervised processes are alive, the watchdog is served for longer than its timeout;
// then the keeper hangs.
static void begin_after_panic(void) {
    require_panic();
    watchdog_start(WATCHDOG_COUNTS);
    for (int i = 0; i < 20; i++) {
        supervise_until(BULKHEAD_ALL_ALIVE);
        watchdog_feed();
    }
    spin();
}

static void begin_after_hung_thread(void) {
    require_entry(0, BULKHEAD_CAUSE_WATCHDOG, THREAD_KEEPER_MAIN, "the watchdog is not recorded");
    require(is_near(entry.pc, (uint32_t)spin), "the watchdog is recorded for another place");
    watchdog_start(WATCHDOG_COUNTS);
    kernel_order = KERNEL_HANGS;
    bulkhead_delay(3);
    require(false, "a kernel that hangs goes on");
}

static void begin_after_hung_kernel(void) {
    require(false, "the watchdog did not interrupt the start-up code");
}

// After the kernel hung, the watchdog interrupted the start-up code before it loaded any memory of
// the kernel, so that this had the values of the former start.
static void begin_after_early(void) {
    require_interrupted(1);
    require(read(1) && entry.cause == BULKHEAD_CAUSE_WATCHDOG, "a hung kernel is not recorded");
    require(is_near(entry.pc, tick_address), "a hung kernel is recorded for another place");
    require_entry(0, BULKHEAD_CAUSE_WATCHDOG, 0, "the watchdog at a start is not recorded");
    require(entry.start == HUNG_START + 1 && entry.ticks == 0, "it is recorded for another start");
    crash_to_limit();
}
#else
static void begin_after_panic(void) {
    require_panic();
    crash_to_limit();
}
#endif

static void (*const starts[])(void) = {
    begin_after_power_on,    begin_after_call,        begin_after_flip,  begin_after_panic,
#if HAS_WATCHDOG
    begin_after_hung_thread, begin_after_hung_kernel, begin_after_early,
#endif
};
enum { RESETS = sizeof starts / sizeof starts[0] };

void keeper_main_entry(void) {
    const uint32_t resets = read(0) ? entry.start : 0;
    bulkhead_delay(1); // a tick, in which the kernel stores tick_address
    if (resets < RESETS) {
        starts[resets]();
    }
    require_escalation();
    say("record: ");
    say_number(resets);
    say(" resets");
    succeed();
}
