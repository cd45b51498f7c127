// SPDX-License-Identifier: MIT
//
// Copies of a lease in which the bus refuses an access, as to memory that is not fitted: the copy
// ends, the call returns DENIED, and nothing else of the system is affected. lease_kernel.c makes
// the bus refuse the accesses to one address.
#include "lease.h"

volatile uint32_t bus_refuses;

enum { BYTES = 136, GUARD = 0xEE, WORDS_AT_ONCE = 64, SINGLE_AT_ONCE = 8, ROUNDS = 3 };

// --- A refused access at each byte of a copy -----------------------------------------------------
// The kernel copies in pieces: of 64 bytes by words, of 8 bytes otherwise. The pieces before the
// one with the refused byte are copied, and nothing else.

static struct {
    uint32_t at;     // refused byte
    uint32_t own_at; // distance of the server's memory to a word
    bool of_lent, reads;
} volatile refused;

static uint8_t pattern(uint32_t at) {
    return (uint8_t)(at * 5 + 1);
}

static void require_pieces(const uint8_t *copied) {
    const uint32_t piece = refused.own_at == 0 ? WORDS_AT_ONCE : SINGLE_AT_ONCE;
    const uint32_t whole = refused.at / piece * piece;
    for (uint32_t i = 0; i < BYTES; i++) {
        require(copied[i] == (i < whole ? pattern(i) : GUARD), "not the pieces before the fault");
    }
}

static enum bulkhead_result copy(uint8_t *own) {
    return refused.reads ? bulkhead_lease_read(GATE_VAULT, 0, own, BYTES)
                         : bulkhead_lease_write(GATE_VAULT, 0, own, BYTES);
}

static void copy_refused(uint32_t words[4]) {
    static const uint32_t at[] = {0, 7, 63, 64, 127, 128, BYTES - 1};
    _Alignas(4) uint8_t memory[BYTES + 4];
    uint8_t back[BYTES];
    uint8_t *const own = memory + refused.own_at;
    for (uint32_t i = 0; i < sizeof at / sizeof at[0]; i++) {
        refused.at = at[i];
        fill(own, BYTES, GUARD);
        require(bulkhead_lease_write(GATE_VAULT, 0, own, BYTES) == BULKHEAD_OK, "a guard");
        for (uint32_t each = 0; each < BYTES; each++) {
            own[each] = pattern(each);
        }
        if (refused.reads) {
            require(bulkhead_lease_write(GATE_VAULT, 0, own, BYTES) == BULKHEAD_OK, "a pattern");
            fill(own, BYTES, GUARD);
        }
        bus_refuses = (refused.of_lent ? words[2] : (uint32_t)own) + at[i];
        require(copy(own) == BULKHEAD_DENIED, "a copy that the bus refuses");
        bus_refuses = 0;
        require(bulkhead_lease_read(GATE_VAULT, 0, back, BYTES) == BULKHEAD_OK, "the lease ends");
        require_pieces(refused.reads ? own : back);
        require(copy(own) == BULKHEAD_OK, "the same copy later");
    }
}

static void lend_bytes(void) {
    _Alignas(4) uint8_t memory[BYTES] = {0};
    result = lend(memory, BYTES, READ | WRITE);
}

static void test_each_access(void) {
    serving = copy_refused;
    for (uint32_t choice = 0; choice < 16; choice++) {
        refused.own_at = choice % 4;
        refused.of_lent = choice / 4 % 2 != 0;
        refused.reads = choice / 8 != 0;
        let(CLIENT, lend_bytes);
        require_done(CLIENT, "a copy that the bus refuses");
        require(result == BULKHEAD_OK, "the call of the client");
    }
}

// --- A refused access in nested calls ------------------------------------------------------------

// Serves the second lease: the bus refuses the first write and allows the next.
static void write_seven_late(uint32_t words[4]) {
    static const uint8_t seven = 7;
    bus_refuses = words[2];
    require(bulkhead_lease_write(GATE_VAULT, 0, &seven, 1) == BULKHEAD_DENIED, "a second lease");
    bus_refuses = 0;
    require(bulkhead_lease_write(GATE_VAULT, 0, &seven, 1) == BULKHEAD_OK, "a second lease");
}

static void require_refused(uint32_t lent) {
    uint8_t byte = 9;
    bus_refuses = lent;
    require(bulkhead_lease_write(GATE_MIDDLE, 0, &byte, 1) == BULKHEAD_DENIED, "a first lease");
}

// Serves a lease, lends memory in a call of its own, and has its copies refused until the call of
// its client times out.
static void serve_refused(uint32_t words[4]) {
    uint8_t own = 0;
    enum bulkhead_result copied;
    require_refused(words[2]);
    require(lend(&own, 1, WRITE) == BULKHEAD_OK && own == 7, "a nested call");
    require_refused(words[2]);
    bus_refuses = 0;
    require(bulkhead_lease_write(GATE_MIDDLE, 1, &own, 1) == BULKHEAD_OK, "after a nested call");
    bus_refuses = words[2];
    do {
        copied = bulkhead_lease_write(GATE_MIDDLE, 0, &own, 1);
    } while (copied == BULKHEAD_DENIED);
    require(copied == BULKHEAD_PEER_LOST, "a lease after its time");
    bus_refuses = 0;
}

static void lend_to_the_middle(void) {
    volatile uint8_t lent[2] = {1, 1};
    uint32_t words[4] = {0};
    result =
        bulkhead_gate_call_lending(GATE_MIDDLE, words, (const void *)lent, sizeof lent, WRITE, 3);
    require(lent[0] == 1 && lent[1] == 7, "not what the server wrote");
}

static void test_nested_in_time(void) {
    service *const before = serving_in_the_middle;
    serving = write_seven_late;
    serving_in_the_middle = serve_refused;
    let(CLIENT, lend_to_the_middle);
    while (!is_done(CLIENT) || bus_refuses != 0) {
    }
    require(result == BULKHEAD_TIMED_OUT, "a timeout of a call whose copies are refused");
    serving_in_the_middle = before;
}

// --- In a copy that an interrupt stops -----------------------------------------------------------

enum { MINE = 0x77, WHOLE = LONG_BYTES / 8 * 8 };

static volatile uint32_t seen_during_copies;

static void see(void) {
    seen_during_copies += common[0] == MINE && common[WHOLE - 1] == 0;
}

static void read_a_while(uint32_t words[4]) {
    for (uint32_t i = 0; i < 64; i++) {
        fill(common, LONG_BYTES, 0);
        bus_refuses = words[2] + LONG_BYTES - 1;
        require(bulkhead_lease_read(GATE_VAULT, 0, (void *)common, words[3]) == BULKHEAD_DENIED,
                "the last byte of a copy with interrupts");
        require(is_filled(common, WHOLE, MINE) && is_filled(common + WHOLE, LONG_BYTES - WHOLE, 0),
                "not the pieces before the last one");
    }
    bus_refuses = 0;
}

static void lend_mine(void) {
    fill(client_buffer, COMMON_BYTES, MINE);
    result = lend(lent_buffer, LONG_BYTES, READ);
}

static void test_interrupted(void) {
    seen_during_copies = 0;
    at_tick = see;
    serving = read_a_while;
    let(CLIENT, lend_mine);
    require_done(CLIENT, "a long call");
    at_tick = NULL;
    require(result == BULKHEAD_OK && seen_during_copies != 0, "no thread runs during a copy");
}

// --- While a process ends ------------------------------------------------------------------------

static void write_without_end(uint32_t words[4]) {
    enum bulkhead_result copied;
    bus_refuses = words[2] + LONG_BYTES - 1;
    do {
        copied = bulkhead_lease_write(GATE_VAULT, 0, (const void *)common, LONG_BYTES);
    } while (copied == BULKHEAD_DENIED);
    require(copied == BULKHEAD_PEER_LOST, "a copy to a client that is lost");
}

static void test_end(work *ends) {
    serving = write_without_end;
    at_tick = ends;
    let(CLIENT, lend_for_ever);
    require(at_tick == NULL, "the copies ended");
    bus_refuses = 0;
    serving = require_denied_copies;
    let(CLIENT, call_plainly);
    require_done(CLIENT, "a call after a lease");
}

void test_bus(void) {
    for (uint32_t round = 0; round < ROUNDS; round++) {
        test_each_access();
        test_nested_in_time();
        test_interrupted();
        test_end(kill_client);
        test_end(kill_server);
    }
}

// Lets the bus refuse an access of the kernel that does not belong to the copy: the system must
// stop.
static void copy_with_error(uint32_t words[4]) {
    uint8_t own = 0;
    (void)words;
    bus_refuses = KERNEL_ERRS;
    (void)bulkhead_lease_read(GATE_VAULT, 0, &own, 1);
    require(false, "an error of the kernel is taken for one of a copy");
}

void test_panic(void) {
    serving = copy_with_error;
    let(CLIENT, lend_bytes);
}
