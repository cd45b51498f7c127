// SPDX-License-Identifier: MIT
//
// Leases: a client lends a range of its memory with a call, and until the answer its server copies
// from there or to there. Only a system with a gate that has `leases` has this file.
//
// The server does not reach the memory of its client: the kernel copies, at the request of the
// server, between the lease and memory of the server. The protection unit has no part in these
// accesses, so the kernel compares both ranges with the memory that the two threads reach by the
// declaration: that of the client when it lends, that of the server in each call that copies. No
// access of a copy can violate protection then, a lease takes no region, and every range may begin
// anywhere. An access that the bus refuses, such as one to memory that is not fitted, ends the copy
// (arch_copy_lent).
//
// The lease that is in force is that of the server's `client`. It ends with the wait of the client:
// at the answer (gate.c: receive), or in gate_cancel_wait, which comes first if the time of the
// client is over, and if the client or the server is terminated.
//
// A copy is made piece by piece, from the lowest address up. If an interrupt is pending after a
// piece, the call starts again with what is left, and checks everything again. So an interrupt
// waits for one piece, and each call makes progress.
#include "lease.h"
#include "methods.h"
#include "optional.h"

// How many bytes a copy moves before the next test for pending interrupts: if words are copied; and
// if single bytes are copied, because the two addresses have different distances to the next word.
enum { WORDS_AT_ONCE_BYTES = 64, SINGLE_AT_ONCE_BYTES = 8 };

enum { LENT_ADDRESS = 2, LENT_BYTES = 3 }; // indexes of the words of a call that lends
enum { OFFSET, ADDRESS, BYTES }; // indexes of the words of a copy, which say what is left of it

// --- Ranges of memory ----------------------------------------------------------------------------

// Returns whether `bytes` bytes from `address` on lie in the range of `size` bytes from `start` on.
// No sum wraps around.
static bool is_within(uint32_t address, uint32_t bytes, uint32_t start, uint32_t size) {
    const uint32_t offset = address - start;
    return offset <= size && bytes <= size - offset;
}

// Returns whether the two ranges have a byte in common.
static bool overlap(uint32_t one, uint32_t other, uint32_t bytes) {
    return one - other < bytes || other - one < bytes;
}

// Returns whether one row of the declaration gives a thread the wanted access to the whole range. A
// range of no bytes may lie anywhere.
static bool reaches(const struct thread *thread, uint32_t address, uint32_t bytes,
                    uint32_t access) {
    const struct reach *const first = kernel_reaches[thread - kernel_threads];
    for (const struct reach *each = first; each != first + KERNEL_REACHES; each++) {
        if ((access & ~each->access) == 0 && is_within(address, bytes, each->start, each->bytes)) {
            return true;
        }
    }
    return bytes == 0;
}

// --- Leases --------------------------------------------------------------------------------------

static struct lease *lease_of(const struct thread *client) {
    return &kernel_leases[client - kernel_threads];
}

void lease_end(const struct thread *client) {
    lease_of(client)->access = 0;
}

static bool is_lendable(const struct thread *client, const struct lease *lease) {
    return lease->access != 0 && lease->access <= (BULKHEAD_LEND_READ | BULKHEAD_LEND_WRITE) &&
           reaches(client, lease->address, lease->bytes, lease->access);
}

// Makes a call that lends memory. The words that describe the memory stay in the call, so that the
// server knows how much is lent. A call that does not wait for the server lends nothing. This call
// and its answer take the slow path.
struct thread *gate_call_lending(struct gate *gate, struct arch_frame *frame) {
    const struct thread *self = kernel.current;
    const uint32_t *words = arch_words(&kernel.current->context);
    const struct lease lease = {words[LENT_ADDRESS], words[LENT_BYTES],
                                arch_second_argument(frame)};
    if (!is_lendable(self, &lease)) {
        return kernel_fail(BULKHEAD_DENIED);
    }
    struct thread *const next = gate_call_timed(gate, frame);
    if (self->waits_for != NULL) {
        *lease_of(self) = lease;
    }
    return next;
}

// --- Copies --------------------------------------------------------------------------------------

static uint32_t least(uint32_t one, uint32_t other) {
    return one < other ? one : other;
}

// Returns the size of the first piece to copy. If the two addresses have the same distance to the
// next word, this is that distance.
static uint32_t piece_bytes(uint32_t one, uint32_t other, uint32_t left) {
    const bool is_even = (one ^ other) % 4 == 0;
    const uint32_t distance = -one % 4;
    if (is_even && distance == 0 && left >= 4) {
        return least(left / 4 * 4, WORDS_AT_ONCE_BYTES);
    }
    return least(left, is_even && distance != 0 ? distance : SINGLE_AT_ONCE_BYTES);
}

// Copies until an interrupt is pending. `direction` is the access to the lease that the copy needs:
// BULKHEAD_LEND_READ or BULKHEAD_LEND_WRITE. Returns false if the bus refused an access.
static bool copy(uint32_t words[], uint32_t lent, uint32_t direction) {
    while (words[BYTES] != 0) {
        const uint32_t own = words[ADDRESS], count = piece_bytes(own, lent, words[BYTES]);
        const bool reads = direction == BULKHEAD_LEND_READ;
        if (!arch_copy_lent(reads ? own : lent, reads ? lent : own, count)) {
            return false;
        }
        words[OFFSET] += count;
        words[ADDRESS] += count;
        words[BYTES] -= count;
        lent += count;
        if (arch_interrupt_pending()) {
            break;
        }
    }
    return true;
}

// Returns the error of a copy; BULKHEAD_OK if the copy is allowed.
static enum bulkhead_result refusal(const struct thread *self, const uint32_t words[],
                                    uint32_t direction) {
    const uint32_t own_access = BULKHEAD_LEND_READ + BULKHEAD_LEND_WRITE - direction;
    if (self->declared->serves == NULL) {
        return BULKHEAD_REFUSED;
    }
    if (self->client == NULL) {
        return BULKHEAD_PEER_LOST;
    }
    const struct lease *lease = lease_of(self->client);
    if (!(lease->access & direction) || !is_within(words[OFFSET], words[BYTES], 0, lease->bytes) ||
        !reaches(self, words[ADDRESS], words[BYTES], own_access)) {
        return BULKHEAD_DENIED;
    }
    return overlap(lease->address + words[OFFSET], words[ADDRESS], words[BYTES]) ? BULKHEAD_REFUSED
                                                                                 : BULKHEAD_OK;
}

static struct thread *copy_for_server(struct arch_frame *frame, uint32_t direction) {
    struct thread *self = kernel.current;
    uint32_t *words = arch_words(&self->context);
    const enum bulkhead_result result = refusal(self, words, direction);
    if (result != BULKHEAD_OK) {
        return kernel_fail(result);
    }
    if (!copy(words, lease_of(self->client)->address + words[OFFSET], direction)) {
        return kernel_fail(BULKHEAD_DENIED);
    }
    if (words[BYTES] == 0) {
        return NO_SWITCH;
    }
    arch_call_repeat(frame);
    return thread_highest();
}

// Copies from the lease. A thread serves at most one gate, so the handle in the call is ignored.
struct thread *gate_lease_read(struct gate *named, struct arch_frame *frame) {
    (void)named;
    return copy_for_server(frame, BULKHEAD_LEND_READ);
}

struct thread *gate_lease_write(struct gate *named, struct arch_frame *frame) {
    (void)named;
    return copy_for_server(frame, BULKHEAD_LEND_WRITE);
}
