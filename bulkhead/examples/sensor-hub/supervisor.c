// SPDX-License-Identifier: MIT
//
// The supervisor: the kernel notifies it when the driver has faulted and runs again. It passes the
// report to the logger.
#include "record.h"
#include <bulkhead/bulkhead.h>
#include <bulkhead/fault.h>
#include <handles.h>

void supervisor_main(void);
void supervisor_main(void) {
    struct bulkhead_fault fault;
    while (bulkhead_notification_wait(BULKHEAD_FOREVER) == BULKHEAD_OK) {
        if (bulkhead_fault_read(PROCESS_UART, &fault) == BULKHEAD_OK) {
            const struct record record = {RECORD_FAULT, {fault.faults, fault.kind, fault.address}};
            (void)bulkhead_queue_send(QUEUE_RECORDS, &record, BULKHEAD_NO_WAIT);
        }
    }
}
