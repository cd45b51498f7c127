// SPDX-License-Identifier: MIT
//
// Tests the life of a lease: nested and concurrent leases, and each way in which a lease ends, also
// during a copy.
#include "lease.h"

enum { MINE = 0x77, ROUNDS = 3 };

static void require_result(enum bulkhead_result expected, const char *what) {
    require(result == expected, what);
}

static void tell(void) {
    require(bulkhead_semaphore_give(SEMAPHORE_TOLD) == BULKHEAD_OK, "tell");
}

// Requires that a later call of the same client has no lease.
static void require_no_lease_left(void) {
    serving = require_denied_copies;
    let(CLIENT, call_plainly);
    require_done(CLIENT, "a call after a lease");
}

// --- Nested and concurrent -----------------------------------------------------------------------

static void write_seven(uint32_t words[4]) {
    static const uint8_t seven = 7;
    require(words[3] == 1, "another lease than that of the nested call");
    require(bulkhead_lease_write(GATE_VAULT, 0, &seven, 1) == BULKHEAD_OK, "nested");
    require(bulkhead_lease_write(GATE_VAULT, 1, &seven, 1) == BULKHEAD_DENIED, "nested, outside");
}

// Tries to lend the memory that was lent to it, which is not its own. Then lends memory of its own.
static void serve_in_the_middle(uint32_t words[4]) {
    uint8_t own = 0;
    require(lend((const void *)words[2], words[3], WRITE) == BULKHEAD_DENIED, "lent twice");
    require(lend(&own, 1, WRITE) == BULKHEAD_OK && own == 7, "a nested call");
    require(bulkhead_lease_write(GATE_MIDDLE, 2, &own, 1) == BULKHEAD_OK, "after a nested call");
}

service *volatile serving_in_the_middle = serve_in_the_middle;

void middle_main_entry(void);
void middle_main_entry(void) {
    uint32_t words[4] = {0}, caller;
    for (;;) {
        if (bulkhead_gate_receive(GATE_MIDDLE, words, &caller, BULKHEAD_FOREVER) == BULKHEAD_OK) {
            serving_in_the_middle(words);
        }
    }
}

static void lend_to_the_middle(void) {
    uint8_t lent[4] = {1, 1, 1, 1};
    uint32_t words[4] = {0};
    require(bulkhead_gate_call_lending(GATE_MIDDLE, words, lent, sizeof lent, WRITE,
                                       BULKHEAD_FOREVER) == BULKHEAD_OK,
            "a call");
    require(lent[1] == 1 && lent[2] == 7 && lent[3] == 1, "not what the nested server wrote");
}

static void test_nested(void) {
    serving = write_seven;
    let(CLIENT, lend_to_the_middle);
    require_done(CLIENT, "nested leases");
}

// Answers two clients, each with a byte of the client's own lease.
static void answer_own_byte(uint32_t words[4]) {
    uint8_t byte = 0;
    wait_until_told();
    require(bulkhead_lease_read(GATE_VAULT, 0, &byte, words[3]) == BULKHEAD_OK, "two clients");
    byte = (uint8_t)(byte + 1);
    require(bulkhead_lease_write(GATE_VAULT, 0, &byte, 1) == BULKHEAD_OK, "two clients");
}

static void lend_byte(uint8_t value) {
    uint8_t byte = value;
    require(lend(&byte, 1, READ | WRITE) == BULKHEAD_OK && byte == value + 1, "another's lease");
}

static void lend_ten(void) {
    lend_byte(10);
}

static void lend_twenty(void) {
    lend_byte(20);
}

static void test_two_clients(void) {
    serving = answer_own_byte;
    let(CLIENT, lend_ten);
    let(OTHER, lend_twenty);
    tell();
    tell();
    require(is_done(CLIENT) && is_done(OTHER), "two clients");
    require_no_lease_left();
}

static void test_suspended(void) {
    serving = answer_own_byte;
    let(CLIENT, lend_ten);
    bulkhead_suspend(THREAD_CLIENT_MAIN);
    tell();
    require(!is_done(CLIENT), "a suspended client");
    bulkhead_resume(THREAD_CLIENT_MAIN);
    require_done(CLIENT, "a client that is resumed");
}

// --- Leases that end between two copies ---------------------------------------------------------

static void require_lost_copies(uint32_t words[4]) {
    uint8_t byte = 0;
    (void)words;
    require(bulkhead_lease_write(GATE_VAULT, 0, &byte, 1) == BULKHEAD_PEER_LOST &&
                bulkhead_lease_read(GATE_VAULT, 0, &byte, 1) == BULKHEAD_PEER_LOST,
            "the lease of a client that does not wait");
}

static void copy_when_told(uint32_t words[4]) {
    wait_until_told();
    require_lost_copies(words);
}

static void copy_late(uint32_t words[4]) {
    bulkhead_delay(3);
    require_lost_copies(words);
}

static void lend_for_a_tick(void) {
    result = lend_for(client_buffer, 1, READ | WRITE, 1);
}

static void lend_without_waiting(void) {
    result = lend_for(client_buffer, 1, READ | WRITE, BULKHEAD_NO_WAIT);
}

static void lend_patiently(void) {
    result = lend_for(client_buffer, 1, READ | WRITE, BULKHEAD_FOREVER);
}

static void test_timeout(void) {
    serving = copy_late;
    let(CLIENT, lend_for_a_tick);
    while (!is_done(CLIENT)) {
    }
    require_result(BULKHEAD_TIMED_OUT, "a timeout");
    bulkhead_delay(5);
    require_no_lease_left();
}

// Tests calls while the server is busy: the call fails at once, or waits in the list of callers,
// and lends nothing.
static void test_busy(work *client) {
    serving = answer_own_byte;
    let(OTHER, lend_twenty);
    let(CLIENT, client);
    while (!is_done(CLIENT)) {
    }
    require_result(BULKHEAD_TIMED_OUT, "a busy server");
    tell();
    require_done(OTHER, "the other client");
    require_no_lease_left();
}

static void test_client_ends(void) {
    serving = copy_when_told;
    let(CLIENT, lend_patiently);
    kill(THREAD_CLIENT_FAULT);
    tell();
    require_no_lease_left();
}

static void test_server_ends(void) {
    serving = copy_when_told;
    let(CLIENT, lend_patiently);
    kill(THREAD_SERVER_FAULT);
    require_done(CLIENT, "a server that ends");
    require_result(BULKHEAD_PEER_LOST, "a server that ends");
    require_no_lease_left();
}

// --- Leases that end during a copy ---------------------------------------------------------------
// A copy takes a good part of a tick, so that ticks come during copies, and the thread that they
// wake ends the lease.

static volatile uint32_t seen_during_copies;

static void write_without_end(uint32_t words[4]) {
    enum bulkhead_result copied;
    (void)words;
    do {
        copied = bulkhead_lease_write(GATE_VAULT, 0, (const void *)common, LONG_BYTES);
    } while (copied == BULKHEAD_OK);
    require(copied == BULKHEAD_PEER_LOST, "a copy to a client that is lost");
}

// Lends memory and then uses it: after the call, the memory belongs to the client alone.
static void lend_and_use(void) {
    result = lend_for(lent_buffer, LONG_BYTES, WRITE, 2);
    fill(client_buffer, COMMON_BYTES, MINE);
    bulkhead_delay(2);
    require(is_filled(client_buffer, COMMON_BYTES, MINE), "written after the client went on");
}

static void test_timeout_in_copy(void) {
    serving = write_without_end;
    let(CLIENT, lend_and_use);
    while (!is_done(CLIENT)) {
    }
    require_result(BULKHEAD_TIMED_OUT, "a timeout during a copy");
    require_no_lease_left();
}

static void see(void) {
    // The first byte is copied first and the last byte last, so this was seen during a copy.
    seen_during_copies += common[0] == MINE && common[LONG_BYTES - 1] == 0;
}

static void read_a_while(uint32_t words[4]) {
    for (uint32_t i = 0; i < 64; i++) {
        fill(common, LONG_BYTES, 0);
        require(bulkhead_lease_read(GATE_VAULT, 0, (void *)common, words[3]) == BULKHEAD_OK,
                "a copy with interrupts");
        require(is_filled(common, LONG_BYTES, MINE), "a copy with interrupts copies less");
    }
}

static void lend_mine(void) {
    fill(client_buffer, COMMON_BYTES, MINE);
    require(lend(lent_buffer, LONG_BYTES, READ) == BULKHEAD_OK, "a long call");
}

static void test_interrupts_in_copy(void) {
    seen_during_copies = 0;
    at_tick = see;
    serving = read_a_while;
    let(CLIENT, lend_mine);
    require_done(CLIENT, "a long call");
    at_tick = NULL;
    require(seen_during_copies != 0, "no thread runs during a copy");
}

static void require_restarted(void) {
    require(is_filled(client_buffer, COMMON_BYTES, FIRST_BYTE), "written after a restart");
}

static void test_client_ends_in_copy(void) {
    fill(common, COMMON_BYTES, MINE);
    serving = write_without_end;
    at_tick = kill_client;
    let(CLIENT, lend_for_ever);
    require(at_tick == NULL, "the copy ended");
    let(CLIENT, require_restarted);
    require_done(CLIENT, "a client that was restarted");
    require_no_lease_left();
}

static void test_server_ends_in_copy(void) {
    serving = write_without_end;
    at_tick = kill_server;
    let(CLIENT, lend_for_ever);
    require(at_tick == NULL, "the copy ended");
    require_done(CLIENT, "a server that ends during a copy");
    require_result(BULKHEAD_PEER_LOST, "a server that ends during a copy");
    require_no_lease_left();
}

void test_lives(void) {
    test_nested();
    for (uint32_t round = 0; round < ROUNDS; round++) {
        test_two_clients();
        test_suspended();
        test_timeout();
        test_busy(lend_without_waiting);
        test_busy(lend_for_a_tick);
        test_client_ends();
        test_server_ends();
        test_timeout_in_copy();
        test_interrupts_in_copy();
        test_client_ends_in_copy();
        test_server_ends_in_copy();
    }
}
