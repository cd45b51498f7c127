// SPDX-License-Identifier: MIT
//
// Finds the name of the address range that contains an address: one of the declaration's regions,
// windows, stacks or code (user_objects.c).
#include <bulkhead/fault.h>
#include <stddef.h>

extern const struct bulkhead_place bulkhead_places[];
extern const uint32_t bulkhead_place_count;

const struct bulkhead_place *bulkhead_place_of(uint32_t address) {
    for (uint32_t i = 0; i < bulkhead_place_count; i++) {
        if (address - bulkhead_places[i].address < bulkhead_places[i].bytes) {
            return &bulkhead_places[i];
        }
    }
    return NULL;
}
