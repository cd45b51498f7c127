// SPDX-License-Identifier: MIT
//
// The explorer (explore.h) searches depth first. The path is a list of saved states, so it is also
// the trace that leads to a wrong state. States that have been seen are stored as 64-bit hashes.
// With 10^7 states, the probability that two states have the same hash, so that the search misses a
// state, is 10^-6.
//
// The hash of a state is the sum of the hashes of its blocks. A step changes few blocks, so the
// hashes of the other blocks are those of the state before the step. Saving a state and returning
// to it copy only the blocks whose hashes differ. With a probability of 10^-9, a whole search
// misses such a block, and continues in a state that cannot occur.
#include "explore.h"
#include <assert.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern char __data_start[], _end[]; // symbols of the linker: all static data

enum { HASHES_AT_FIRST = 1 << 16, BLOCK_BYTES = 128, BLOCKS = 256 };
enum { BLOCK_WORDS = BLOCK_BYTES / sizeof(uint64_t) };

struct saved {
    uint32_t next_step;      // the first step that was not taken
    uint64_t hashes[BLOCKS]; // hash of each block of `memory`
    char memory[];
};

struct search {
    struct saved **path; // also states that the search has left, whose memory is used again
    uint32_t depth, used, room;
    uint64_t *hashes; // set of the hashes of all states: open addressing; 0 is a free element
    uint64_t present[BLOCKS]; // hash of each block of the world as it is now
    uint32_t states, capacity;
};

static size_t world_bytes(void) {
    const size_t bytes = (size_t)(_end - __data_start);
    assert(bytes <= (size_t)BLOCKS * BLOCK_BYTES);
    return bytes;
}

static void *allocated(void *memory) {
    if (memory == NULL) {
        fprintf(stderr, "no memory is left; explore fewer steps\n");
        exit(1);
    }
    return memory;
}

static uint64_t mixed(uint64_t hash, uint64_t word) {
    hash = (hash ^ word) * 0x9E3779B97F4A7C15u;
    return hash ^ hash >> 29;
}

// Returns the hash of the block at `from`. The hash depends on the position of the block in the
// state, so that equal blocks have different hashes. It mixes the even and the odd words apart,
// because a processor can do both at a time.
static uint64_t hash_of_block(const char *from, const char *to) {
    uint64_t words[2], odd = 0x2545F4914F6CDD1Du,
                       hash = mixed(0xCBF29CE484222325u, (uintptr_t)from);
    for (; from + sizeof words <= to; from += sizeof words) {
        memcpy(words, from, sizeof words);
        hash = mixed(hash, words[0]);
        odd = mixed(odd, words[1]);
    }
    for (; from < to; from++) {
        hash = mixed(hash, (unsigned char)*from);
    }
    hash = mixed(hash, odd);
    // Mixes the last words as well as the first, so that changes of two blocks do not cancel.
    return mixed(mixed(mixed(hash, hash >> 32), 1), 2);
}

// Returns whether two blocks are equal. Compares whole blocks without a call, because most are.
static bool is_same(const char *one, const char *other, size_t bytes) {
    uint64_t a[BLOCK_WORDS], b[BLOCK_WORDS], differ = 0;
    if (bytes != BLOCK_BYTES) {
        return memcmp(one, other, bytes) == 0;
    }
    memcpy(a, one, BLOCK_BYTES);
    memcpy(b, other, BLOCK_BYTES);
    for (uint32_t i = 0; i < BLOCK_WORDS; i++) {
        differ |= a[i] ^ b[i];
    }
    return differ == 0;
}

// Returns the hash of the world. `before` is the state before the last step, or NULL.
static uint64_t hash_of_world(struct search *search, const struct saved *before) {
    uint64_t sum = 0;
    const char *at = __data_start;
    for (uint32_t block = 0; at < _end; block++, at += BLOCK_BYTES) {
        const char *end = _end - at < BLOCK_BYTES ? _end : at + BLOCK_BYTES;
        const size_t bytes = (size_t)(end - at);
        const bool same =
            before != NULL && is_same(at, before->memory + (at - __data_start), bytes);
        search->present[block] = same ? before->hashes[block] : hash_of_block(at, end);
        sum += search->present[block];
    }
    return sum == 0 ? 1 : sum;
}

static bool put(uint64_t *hashes, uint32_t capacity, uint64_t hash) {
    uint32_t at = (uint32_t)hash & (capacity - 1);
    while (hashes[at] != 0) {
        if (hashes[at] == hash) {
            return false;
        }
        at = (at + 1) & (capacity - 1);
    }
    hashes[at] = hash;
    return true;
}

static void grow(struct search *search) {
    const uint32_t capacity = 2 * search->capacity;
    uint64_t *hashes = allocated(calloc(capacity, sizeof *hashes));
    for (uint32_t i = 0; i < search->capacity; i++) {
        if (search->hashes[i] != 0) {
            put(hashes, capacity, search->hashes[i]);
        }
    }
    free(search->hashes);
    search->hashes = hashes;
    search->capacity = capacity;
}

static bool is_new(struct search *search, const struct saved *before) {
    if (2 * search->states >= search->capacity) {
        grow(search);
    }
    const bool added = put(search->hashes, search->capacity, hash_of_world(search, before));
    search->states += added;
    return added;
}

// Copies the blocks whose hashes `known` differ from the hashes `wanted`, and makes `known` equal
// to `wanted`.
static void copy_changed(char *to, uint64_t *known, const char *from, const uint64_t *wanted) {
    const size_t all = world_bytes();
    for (size_t block = 0, at = 0; at < all; block++, at += BLOCK_BYTES) {
        if (known[block] != wanted[block]) {
            memcpy(to + at, from + at, all - at < BLOCK_BYTES ? all - at : BLOCK_BYTES);
            known[block] = wanted[block];
        }
    }
}

static void push(struct search *search) {
    if (search->depth == search->room) {
        search->room = 2 * search->room + 16;
        search->path = allocated(realloc(search->path, search->room * sizeof *search->path));
    }
    if (search->depth == search->used) {
        search->path[search->used++] = allocated(calloc(1, sizeof(struct saved) + world_bytes()));
    }
    struct saved *saved = search->path[search->depth++];
    saved->next_step = 0;
    copy_changed(saved->memory, saved->hashes, __data_start, search->present);
}

// Makes the world equal to a saved state. Before the call, `search->present` must have the hashes
// of the world as it is.
static void restore(struct search *search, const struct saved *saved) {
    copy_changed(__data_start, search->present, saved->memory, saved->hashes);
}

static void print_path(const struct search *search) {
    for (uint32_t i = 0; i < search->depth; i++) {
        memcpy(__data_start, search->path[i]->memory, world_bytes());
        fprintf(stderr, "  %s\n", world_step_name(search->path[i]->next_step - 1));
    }
}

static void require_right(const struct search *search, const char *name) {
    const char *wrong = world_wrong(world_steps() == 0);
    if (wrong != NULL) {
        fprintf(stderr, "%s: %s, after\n", name, wrong);
        print_path(search);
        exit(1);
    }
}

// Takes the next step from the last state of the path, or leaves that state if it has no further
// steps.
static void go_on(struct search *search, const char *name) {
    struct saved *last = search->path[search->depth - 1];
    restore(search, last);
    if (last->next_step == world_steps()) {
        search->depth--;
        return;
    }
    world_take(last->next_step++);
    require_right(search, name);
    if (is_new(search, last)) {
        push(search);
    }
}

uint32_t explore(const char *name) {
    struct search *search = allocated(calloc(1, sizeof *search));
    search->capacity = HASHES_AT_FIRST;
    search->hashes = allocated(calloc(search->capacity, sizeof *search->hashes));
    is_new(search, NULL);
    push(search);
    while (search->depth != 0) {
        go_on(search, name);
    }
    const uint32_t states = search->states;
    while (search->used != 0) {
        free(search->path[--search->used]);
    }
    free(search->hashes);
    free(search->path);
    free(search);
    return states;
}
