// SPDX-License-Identifier: MIT
//
// Receives samples from the queue. It starts late, so the queue becomes full and samples are lost.
#include "sample.h"
#include <bulkhead/bulkhead.h>
#include <console.h>
#include <handles.h>

enum { SAMPLES = 8, LATE_TICKS = 1 };

static void write_sample(const struct sample *sample) {
    console_write("logger: sample ");
    console_write_number(sample->number);
    if (sample->lost != 0) {
        console_write(", lost before it ");
        console_write_number(sample->lost);
    }
    console_write("\n");
}

void logger_main(void);
void logger_main(void) {
    struct sample sample;
    bulkhead_delay(LATE_TICKS);
    for (uint32_t i = 0; i < SAMPLES; i++) {
        (void)bulkhead_queue_receive(QUEUE_SAMPLES, &sample, BULKHEAD_FOREVER);
        write_sample(&sample);
    }
    console_end();
}
