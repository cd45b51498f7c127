// SPDX-License-Identifier: MIT
//
// Prints the readings and the fault of the meter, and ends after the second one.
#include <bulkhead/bulkhead.h>
#include <bulkhead/fault.h>
#include <console.h>
#include <handles.h>

struct reading {
    uint32_t samples, sum;
};

static void print(const char *text, uint32_t number, const char *end) {
    console_write(text);
    console_write_number(number);
    console_write(end);
}

void printer_main(void);
void printer_main(void) {
    struct reading reading;
    while (bulkhead_queue_receive(QUEUE_READINGS, &reading, BULKHEAD_FOREVER) == BULKHEAD_OK) {
        print("printer: samples ", reading.samples, ", sum ");
        print("", reading.sum, "\n");
    }
}

void watcher_main(void);
void watcher_main(void) {
    struct bulkhead_fault fault = {0};
    while (fault.faults < 2) {
        (void)bulkhead_notification_wait(BULKHEAD_FOREVER);
        if (bulkhead_fault_read(PROCESS_METER, &fault) == BULKHEAD_OK) {
            print("watcher: fault ", fault.faults, ", kind ");
            print("", fault.kind, "\n");
        }
    }
    console_end();
}
