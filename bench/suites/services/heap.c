// SPDX-License-Identifier: MIT
//
// One task allocates a block of the kernel's heap and returns it. Blocks of other sizes stay
// allocated, and gaps between them stay free, so that the allocator has a list to search.
#include "services.h"

enum { CALLER, TASKS };
enum { OTHERS = 8, OTHER_BYTES = 24 };

static const struct bench_heap heap = {0};

// Every second block is returned: its gap is too small for what is measured.
static void divide(void) {
    void *others[OTHERS];
    for (int i = 0; i < OTHERS; i++) {
        BENCH_REQUIRE(bench_heap_allocate(heap, OTHER_BYTES, &others[i]) == BENCH_OK,
                      "heap: refused what is declared");
    }
    for (int i = 0; i < OTHERS; i += 2) {
        BENCH_REQUIRE(bench_heap_free(heap, others[i]) == BENCH_OK,
                      "heap: a block could not be returned");
    }
}

static void caller(void) {
    divide();
    for (;;) {
        void *block = NULL;
        BENCH_MARK("allocate.before");
        const enum bench_status allocated = bench_heap_allocate(heap, PARAM_BYTES, &block);
        BENCH_MARK("allocate.after");
        BENCH_REQUIRE(allocated == BENCH_OK && block != NULL, "heap: refused what is declared");
        BENCH_MARK("free.before");
        const enum bench_status freed = bench_heap_free(heap, block);
        BENCH_MARK("free.after");
        BENCH_REQUIRE(freed == BENCH_OK, "heap: a block could not be returned");
    }
}

static const struct bench_task_declaration tasks[] = {[CALLER] = TASK(caller, LOW_PRIORITY)};

static const struct bench_heap_declaration heaps[] = {
    {.bytes = OTHERS * OTHER_BYTES + PARAM_BYTES},
};

const struct bench_scenario bench_scenario = {
    .name = "heap", SO_MANY(tasks, TASKS), BENCH_HEAPS(heaps)};
