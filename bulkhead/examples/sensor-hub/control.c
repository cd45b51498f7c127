// SPDX-License-Identifier: MIT
//
// The control loop: every millisecond it moves a position towards its target. It waits for nothing
// but its next period: if the queue has no room for a record, the record is lost, and the loop
// continues.
//
// A product would read the position from a sensor. In this example the position follows from the
// loop's own output, so that the sum of all positions shows whether another process wrote to this
// memory.
#include "record.h"
#include <bulkhead/bulkhead.h>
#include <handles.h>

enum { TARGET_NM = 1000000, SLOWNESS = 64, NM_PER_UM = 1000 };
enum { REPORT_PERIODS = 100, SUMMARY_PERIODS = 1000 };

static struct bulkhead_period period = {.period_ticks = 1};
static int32_t position_nm;
static uint32_t periods, sum;

static void step(void) {
    position_nm += (TARGET_NM - position_nm) / SLOWNESS;
    sum += (uint32_t)position_nm;
    periods++;
}

static void report(enum record_kind kind, uint32_t first, uint32_t second) {
    const struct record record = {kind, {periods, first, second}};
    (void)bulkhead_queue_send(QUEUE_RECORDS, &record, BULKHEAD_NO_WAIT);
}

void control_main(void);
void control_main(void) {
    period.release = bulkhead_ticks();
    for (;;) {
        (void)bulkhead_period_wait(&period); // counts the periods that the loop misses
        step();
        (void)bulkhead_flags_set(FLAGS_CONTROL_ALIVE, 1);
        if (periods == SUMMARY_PERIODS) {
            report(RECORD_SUMMARY, period.overruns, sum);
        } else if (periods % REPORT_PERIODS == 0) {
            report(RECORD_POSITION, (uint32_t)position_nm / NM_PER_UM, 0);
        }
    }
}
