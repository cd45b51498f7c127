// SPDX-License-Identifier: MIT
//
// Lends a buffer on its stack to the driver, and prints what the driver has written there.
#include <bulkhead/bulkhead.h>
#include <console.h>
#include <handles.h>

enum { SAMPLES = 4 };

static void log_samples(uint32_t wanted) {
    uint32_t samples[SAMPLES], words[4] = {wanted};
    const enum bulkhead_result result = bulkhead_gate_call_lending(
        GATE_SAMPLES, words, samples, sizeof samples, BULKHEAD_LEND_WRITE, BULKHEAD_FOREVER);
    console_write("logger: samples");
    for (uint32_t i = 0; result == BULKHEAD_OK && i < words[0]; i++) {
        console_write(" ");
        console_write_number(samples[i]);
    }
    console_write("\n");
}

void logger_main(void);
void logger_main(void) {
    log_samples(SAMPLES);
    log_samples(2);
    log_samples(SAMPLES + 3); // more than fit: the driver writes as many as fit
    console_end();
}
