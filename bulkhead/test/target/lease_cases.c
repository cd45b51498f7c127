// SPDX-License-Identifier: MIT
//
// Copies from and to a lease, and the requests that are denied to a client and to its server.
#include "lease.h"

enum { LENT_BYTES = 160, GUARD = 0xEE, WORD_BYTES = 4 };

static volatile uint32_t offset, own_at, bytes; // of a copy

static uint8_t pattern(uint32_t at) {
    return (uint8_t)(at * 7 + 3);
}

// --- Copies --------------------------------------------------------------------------------------

static void require_copied(const uint8_t own[], uint32_t size) {
    for (uint32_t i = 0; i < size; i++) {
        const uint32_t at = i - own_at;
        require(own[i] == (at < bytes ? pattern(offset + at) : GUARD), "another byte is copied");
    }
}

// Reads the lent memory, then writes the complement back.
static void copy_both_ways(uint32_t words[4]) {
    uint8_t own[LENT_BYTES + WORD_BYTES];
    fill(own, sizeof own, GUARD);
    require(words[3] == LENT_BYTES, "the server does not learn how much is lent");
    require(bulkhead_lease_read(GATE_VAULT, offset, own + own_at, bytes) == BULKHEAD_OK, "read");
    require_copied(own, sizeof own);
    for (uint32_t i = 0; i < sizeof own; i++) {
        own[i] = (uint8_t)~own[i];
    }
    require(bulkhead_lease_write(GATE_VAULT, offset, own + own_at, bytes) == BULKHEAD_OK, "write");
}

static void lend_from(uint32_t lent_at) {
    uint8_t memory[LENT_BYTES + 2 * WORD_BYTES];
    uint8_t *const lent = memory + lent_at;
    fill(memory, sizeof memory, GUARD);
    for (uint32_t i = 0; i < LENT_BYTES; i++) {
        lent[i] = pattern(i);
    }
    require(lend(lent, LENT_BYTES, READ | WRITE) == BULKHEAD_OK, "a call that lends");
    for (uint32_t i = 0; i < LENT_BYTES; i++) {
        const uint8_t before = pattern(i);
        require(lent[i] == (i - offset < bytes ? (uint8_t)~before : before), "not written");
    }
    require(is_filled(memory, lent_at, GUARD) &&
                is_filled(lent + LENT_BYTES, sizeof memory - lent_at - LENT_BYTES, GUARD),
            "written outside of the lease");
}

// Copies with every distance to the next word on both sides, and with lengths of less than one
// piece, of whole pieces and of more.
static void copy_each_way(void) {
    static const uint8_t lengths[] = {0, 1, 2, 3, 4, 5, 15, 16, 17, 33, 63, 64, 65, 81, 129, 157};
    for (uint32_t i = 0; i < sizeof lengths; i++) {
        bytes = lengths[i];
        for (uint32_t at = 0; at < WORD_BYTES * WORD_BYTES; at++) {
            own_at = at / WORD_BYTES;
            offset = LENT_BYTES - bytes < 3 ? 0 : at % 3;
            lend_from(at % WORD_BYTES);
        }
    }
}

// Reads constants and code, which the client itself may only read.
static void read_constant(uint32_t words[4]) {
    char own[4] = {0};
    require(bulkhead_lease_read(GATE_VAULT, 0, own, words[3]) == BULKHEAD_OK && own[0] == 'y' &&
                own[1] == 'e',
            "a constant");
}

static void lend_constants(void) {
    static const char constant[] = "yes";
    serving = read_constant;
    require(lend(constant, sizeof constant, READ) == BULKHEAD_OK, "a constant is not lent");
    serving = serve_nothing;
    require(lend(constant, sizeof constant, WRITE) == BULKHEAD_DENIED &&
                lend(constant, sizeof constant, READ | WRITE) == BULKHEAD_DENIED,
            "a constant is lent to be written");
}

// --- Denied to the client ------------------------------------------------------------------------

struct range {
    uint32_t start, bytes, access;
};

static void require_denied(struct range range) {
    const uint32_t before = served;
    require(lend((const void *)range.start, range.bytes, range.access) == BULKHEAD_DENIED &&
                served == before,
            "what is no memory of the client is lent");
}

static void require_lent(uint32_t start, uint32_t count, uint32_t access) {
    require(lend((const void *)start, count, access) == BULKHEAD_OK, "its memory is not lent");
}

static void lend_wrongly(void) {
    extern char client_main_stack[], server_main_stack[], client_fault_stack[], other_main_stack[];
    const uint32_t start = (uint32_t)client_data_start, size = CLIENT_DATA_BYTES;
    const struct range wrong[] = {
        {0, 4, READ},
        {bulkhead_page.self, 4, READ}, // in the kernel
        {bulkhead_page.self, 4, WRITE},
        {(uint32_t)&bulkhead_page, 4, WRITE},
        {(uint32_t)&lend_wrongly & ~3u, 4, WRITE},
        {(uint32_t)server_main_stack, 4, READ},
        {(uint32_t)other_main_stack, 4, WRITE},
        {(uint32_t)client_fault_stack, 4, READ}, // of the same process
        {(uint32_t)client_main_stack - 1, 2, READ},
        {start - 1, 2, READ},
        {start, size + 1, READ},
        {start + size - 1, 2, READ},
        {start + size, 1, READ},
        {start + 1, UINT32_MAX, READ}, // wraps around
        {start + 1, UINT32_MAX - start, READ},
        {start - 4, UINT32_MAX - 1, WRITE},
        {UINT32_MAX, 2, READ},
        {0x60000000u, 4, READ},
        {start, 4, 0},
        {start, 4, 4},
        {start, 4, 5},
        {start, 4, UINT32_MAX},
    };
    for (uint32_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        require_denied(wrong[i]);
    }
}

static void lend_rightly(void) {
    extern char client_main_stack[];
    const uint32_t start = (uint32_t)client_data_start, size = CLIENT_DATA_BYTES;
    require_lent(start, size, READ | WRITE);
    require_lent(start + size - 1, 1, WRITE);
    require_lent(start + size, 0, WRITE);
    require_lent(0, 0, READ);
    require_lent((uint32_t)client_main_stack, 64, READ);
    require_lent((uint32_t)common, COMMON_BYTES, WRITE);
}

// The other client may only read the memory of the first client, so it may lend this memory only
// for reading.
static void lend_what_is_only_read(void) {
    require(lend(client_buffer, 4, READ) == BULKHEAD_OK, "what it reads is not lent");
    require(lend(client_buffer, 4, WRITE) == BULKHEAD_DENIED &&
                lend(client_buffer, 4, READ | WRITE) == BULKHEAD_DENIED,
            "what it only reads is lent to be written");
}

// --- Denied to the server ------------------------------------------------------------------------

static void require_nothing_copied(const volatile uint8_t *own) {
    require(is_filled(own, LENT_BYTES, GUARD), "a denied copy copies");
}

static void copy_outside(uint32_t words[4]) {
    static const uint32_t wrong[][2] = {
        {0, LENT_BYTES + 1},
        {LENT_BYTES, 1},
        {1, LENT_BYTES},
        {LENT_BYTES + 1, 0},
        {UINT32_MAX, 1},
        {UINT32_MAX, 2},
        {4, UINT32_MAX - 3},
        {4, UINT32_MAX},
        {0, UINT32_MAX},
        {0x80000000u, 0},
        {0x80000000u, 0x80000000u},
    };
    uint8_t own[LENT_BYTES + 1];
    (void)words;
    fill(own, sizeof own, GUARD);
    for (uint32_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        const uint32_t from = wrong[i][0], count = wrong[i][1];
        require(bulkhead_lease_read(GATE_VAULT, from, own, count) == BULKHEAD_DENIED &&
                    bulkhead_lease_write(GATE_VAULT, from, own, count) == BULKHEAD_DENIED,
                "a copy outside of the lease");
    }
    require_nothing_copied(own);
    require(bulkhead_lease_read(GATE_VAULT, LENT_BYTES, own, 0) == BULKHEAD_OK, "no bytes");
}

static void read_only(uint32_t words[4]) {
    uint8_t own[4] = {0};
    (void)words;
    require(bulkhead_lease_write(GATE_VAULT, 0, own, 4) == BULKHEAD_DENIED &&
                bulkhead_lease_write(GATE_VAULT, 0, own, 0) == BULKHEAD_DENIED,
            "what is lent to be read is written");
    require(bulkhead_lease_read(GATE_VAULT, 0, own, 4) == BULKHEAD_OK && own[0] == GUARD, "read");
}

static void write_only(uint32_t words[4]) {
    uint8_t own[4] = {GUARD, GUARD, GUARD, GUARD};
    (void)words;
    require(bulkhead_lease_read(GATE_VAULT, 0, own, 4) == BULKHEAD_DENIED,
            "what is lent to be written is read");
    require(bulkhead_lease_write(GATE_VAULT, 0, own, 4) == BULKHEAD_OK, "write");
}

// Tries to copy into and from memory of other processes.
static void copy_for_others(uint32_t words[4]) {
    extern char client_main_stack[], server_main_stack[], server_fault_stack[];
    const uint32_t lent = words[2];
    const uint32_t wrong[] = {
        lent + LENT_BYTES, // the client's stack
        (uint32_t)client_main_stack,
        bulkhead_page.self,
        (uint32_t)server_fault_stack,
        (uint32_t)server_main_stack - 1,
        0x60000000u,
        UINT32_MAX,
        UINT32_MAX - 3,
    };
    for (uint32_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        void *own = (void *)wrong[i];
        require(bulkhead_lease_read(GATE_VAULT, 0, own, 4) == BULKHEAD_DENIED &&
                    bulkhead_lease_write(GATE_VAULT, 0, own, 4) == BULKHEAD_DENIED,
                "a copy for memory that the server does not reach");
    }
    require(bulkhead_lease_read(GATE_VAULT, 0, (void *)&bulkhead_page, 4) == BULKHEAD_DENIED &&
                bulkhead_lease_read(GATE_VAULT, 0, client_buffer, 4) == BULKHEAD_DENIED &&
                bulkhead_lease_read(GATE_VAULT, 0, (void *)((uint32_t)&pattern & ~3u), 4) ==
                    BULKHEAD_DENIED,
            "a copy into memory that the server only reads");
    require(bulkhead_lease_write(GATE_VAULT, 4, client_buffer, 4) == BULKHEAD_OK,
            "a copy from memory that the server only reads");
}

static void lend_guarded(service *what, uint32_t access) {
    uint8_t lent[LENT_BYTES];
    fill(lent, sizeof lent, GUARD);
    serving = what;
    require(lend(lent, sizeof lent, access) == BULKHEAD_OK, "a call that lends");
    require(is_filled(lent, 4, GUARD) && is_filled(lent + 8, LENT_BYTES - 8, GUARD), "written");
    require(lent[4] == (what == copy_for_others ? FIRST_BYTE : GUARD), "written, or not");
}

static void serve_wrongly(void) {
    lend_guarded(copy_outside, READ | WRITE);
    lend_guarded(read_only, READ);
    lend_guarded(write_only, WRITE);
    lend_guarded(copy_for_others, READ | WRITE);
}

// --- Ranges that client and server both reach ----------------------------------------------------

static void copy_overlapping(uint32_t words[4]) {
    volatile uint8_t *const lent = common + 64;
    (void)words;
    for (int32_t distance = -33; distance <= 33; distance++) {
        const bool is_apart = distance <= -32 || distance >= 32;
        void *const own = (void *)(lent + 16 + distance);
        require(bulkhead_lease_read(GATE_VAULT, 16, own, 32) ==
                    (is_apart ? BULKHEAD_OK : BULKHEAD_REFUSED),
                "a copy onto itself");
        require(is_apart || bulkhead_lease_write(GATE_VAULT, 16, own, 32) == BULKHEAD_REFUSED,
                "a copy onto itself, written");
    }
    require(bulkhead_lease_read(GATE_VAULT, 16, (void *)(lent + 16), 0) == BULKHEAD_OK, "none");
}

static void lend_what_both_reach(void) {
    serving = copy_overlapping;
    require(lend(common + 64, 64, READ | WRITE) == BULKHEAD_OK, "what both reach");
}

// The server may read the memory itself, and writes there only through the lease. The write must
// not take away its right to read, not even on Armv8-M.
static void copy_into_what_is_read(uint32_t words[4]) {
    (void)words;
    require(bulkhead_lease_write(GATE_VAULT, 0, client_buffer + 512, 512) == BULKHEAD_OK &&
                client_buffer[0] == FIRST_BYTE,
            "within what the server reads");
    require(bulkhead_lease_write(GATE_VAULT, 3, (const void *)common, 64) == BULKHEAD_OK &&
                client_buffer[3] == common[0] && client_buffer[4] == common[1],
            "into what the server reads");
}

static void lend_what_is_shared(void) {
    fill(client_buffer, 512, 0);
    fill(common, 64, 0x33);
    serving = copy_into_what_is_read;
    require(lend(client_buffer, 512, WRITE) == BULKHEAD_OK, "what the server reads");
    require(client_buffer[2] == FIRST_BYTE && client_buffer[3] == 0x33 &&
                client_buffer[66] == 0x33 && client_buffer[67] == FIRST_BYTE,
            "not written");
    fill(client_buffer, 512, FIRST_BYTE);
}

// --- Callers -------------------------------------------------------------------------------------

static void call_itself(uint32_t words[4]) {
    (void)words;
    require(lend(common, 4, READ) == BULKHEAD_REFUSED, "a server lends to itself");
}

static void lend_within_process(void) {
    uint8_t lent[LENT_BYTES];
    fill(lent, sizeof lent, GUARD);
    serving = read_only;
    require(lend(lent, sizeof lent, READ) == BULKHEAD_OK, "a thread of the server's process");
    serving = call_itself;
    call_plainly();
    require(bulkhead_lease_read(GATE_VAULT, 0, lent, 4) == BULKHEAD_REFUSED, "it serves nobody");
}

static void call_without_right(void) {
    uint32_t words[4] = {0};
    require(bulkhead_lease_read(GATE_VAULT, 0, words, 4) == BULKHEAD_DENIED &&
                bulkhead_lease_write(GATE_VAULT, 0, words, 4) == BULKHEAD_DENIED,
            "a client copies");
    require(bulkhead_gate_call_lending(GATE_PLAIN, words, words, 4, READ, BULKHEAD_FOREVER) ==
                BULKHEAD_DENIED,
            "a gate without leases lends");
    require(bulkhead_gate_call(GATE_PLAIN, words, BULKHEAD_FOREVER) == BULKHEAD_OK &&
                words[0] == BULKHEAD_DENIED,
            "the server of another gate copies");
}

static void test(enum party party, service *first, work *what, const char *name) {
    serving = first;
    let(party, what);
    require_done(party, name);
    serving = serve_nothing;
}

void test_copies(void) {
    test(CLIENT, copy_both_ways, copy_each_way, "copies");
    test(CLIENT, serve_nothing, lend_constants, "constants");
    test(CLIENT, serve_nothing, lend_wrongly, "wrong leases");
    test(CLIENT, serve_nothing, lend_rightly, "leases");
    test(OTHER, serve_nothing, lend_what_is_only_read, "what is only read");
    test(CLIENT, serve_nothing, serve_wrongly, "wrong copies");
    test(CLIENT, serve_nothing, lend_what_both_reach, "overlapping copies");
    test(CLIENT, serve_nothing, lend_what_is_shared, "what is shared");
    test(HELPER, serve_nothing, lend_within_process, "within a process");
    test(CLIENT, serve_nothing, call_without_right, "without a right");
}
