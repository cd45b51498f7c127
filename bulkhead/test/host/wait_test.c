// SPDX-License-Identifier: MIT
//
// The list of waiters: whatever enters and leaves, it is sorted by priority, and FIFO among equals.
#include "random.h"
#include "wait.h"
#include <assert.h>
#include <stdio.h>

enum { THREADS = 20, STEPS = 300000 };

static struct wait_list list;
static struct thread threads[THREADS];
static uint32_t orders[THREADS]; // 0: does not wait
static uint32_t next_order = 1;

static void assert_sorted(void) {
    int waiting = 0, listed = 0;
    for (int i = 0; i < THREADS; i++) {
        waiting += orders[i] != 0;
        assert((threads[i].waits_in == &list) == (orders[i] != 0));
    }
    for (struct thread *each = list.first; each != NULL; each = each->wait_next) {
        const struct thread *next = each->wait_next;
        listed++;
        if (next != NULL) {
            assert(each->bit > next->bit ||
                   (each->bit == next->bit && orders[each - threads] < orders[next - threads]));
        }
    }
    assert(listed == waiting);
}

int main(void) {
    for (int i = 0; i < THREADS; i++) {
        threads[i].bit = 0x80000000u >> random_below(6);
    }
    for (int step = 0; step < STEPS; step++) {
        const int i = (int)random_below(THREADS);
        if (orders[i] == 0) {
            wait_enter(&list, &threads[i]);
            orders[i] = next_order++;
        } else {
            wait_leave(&threads[i]);
            orders[i] = 0;
        }
        assert_sorted();
    }
    printf("wait: %d steps\n", STEPS);
    return 0;
}
