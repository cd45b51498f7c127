// SPDX-License-Identifier: MIT
//
// See grants.h.
#include "grants.h"
#include <stddef.h>

static struct grant grants[GRANTS];

void grants_begin(void) {
    grants_find(grants);
}

static const struct grant *grant_of(uint32_t address) {
    for (uint32_t i = 0; i < GRANTS; i++) {
        if (address - grants[i].start < grants[i].bytes) {
            return &grants[i];
        }
    }
    return NULL;
}

bool grants_may_read(uint32_t address, uint32_t bytes) {
    return grant_of(address) != NULL && grant_of(address + bytes - 1) != NULL;
}

bool grants_may_write(uint32_t address, uint32_t bytes) {
    const struct grant *first = grant_of(address), *last = grant_of(address + bytes - 1);
    return first != NULL && first->writable && last != NULL && last->writable;
}

bool grants_may_run(uint32_t address) {
    const struct grant *grant = grant_of(address);
    return grant != NULL && grant->executable;
}
