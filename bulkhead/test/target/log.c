// SPDX-License-Identifier: MIT
//
// Tests the logs of processes and the trace of the kernel. In the process `teller`, one thread
// interrupts the other while both write the log of the process; then the teller faults, and its log
// must survive. The process `hostile` tries to write to logs of other processes, which faults, and
// fills its own log with every kind of invalid entry.
//
// After this program, test/events.py checks what a debugger reads in the memory of the logs and of
// the trace.
#include "log.h"
#include "report.h"

volatile uint32_t starts;
volatile bool hostile_is_done;

void judge_main_entry(void);
void silent_main(void);

void silent_main(void) {
    BULKHEAD_LOG(LOG_SILENT, "never");
}

void judge_main_entry(void) {
    struct bulkhead_fault report;
    require(bulkhead_semaphore_take(SEMAPHORE_TOLD, BULKHEAD_FOREVER) == BULKHEAD_OK, "slow");
    require(bulkhead_semaphore_take(SEMAPHORE_TOLD, BULKHEAD_FOREVER) == BULKHEAD_OK, "quick");
    require(starts == TELLER_STARTS, "the teller did not start again");
    bulkhead_notify(THREAD_HOSTILE);
    while (!hostile_is_done) {
        (void)bulkhead_notification_wait(1);
        bulkhead_notify(THREAD_HOSTILE);
    }
    require(bulkhead_fault_read(PROCESS_HOSTILE, &report) == BULKHEAD_OK, "no report");
    require(report.faults == HOSTILE_ACCESSES, "not every access to the memory of others faults");
    say("log: ");
    say_number(report.faults);
    say(" accesses to logs of others and to the trace fault");
    succeed();
}
