// SPDX-License-Identifier: MIT
//
// The numbers of the system calls, for C and for assembler: arch/*/entry.S lists its stubs in this
// order.
//
// A caller puts the number into r3, arguments into r0 to r2 and executes SVC; the result comes
// back in r0 and every other register as it was.
#ifndef BULKHEAD_CALLS_H
#define BULKHEAD_CALLS_H

#define BULKHEAD_CALL_NULL 0
#define BULKHEAD_CALL_YIELD 1
#define BULKHEAD_CALL_RESUME 2
#define BULKHEAD_CALL_SUSPEND 3
#define BULKHEAD_CALL_START 4
#define BULKHEAD_CALL_EXIT 5
#define BULKHEAD_CALL_DELAY 6
#define BULKHEAD_CALL_SET_PRIORITY 7
#define BULKHEAD_CALL_NOTIFY 8
#define BULKHEAD_CALL_NOTIFICATION_WAIT 9
#define BULKHEAD_CALL_SEMAPHORE_TAKE 10
#define BULKHEAD_CALL_SEMAPHORE_GIVE 11
#define BULKHEAD_CALL_MUTEX_LOCK 12
#define BULKHEAD_CALL_MUTEX_UNLOCK 13
#define BULKHEAD_CALL_QUEUE_SEND 14
#define BULKHEAD_CALL_QUEUE_RECEIVE 15
#define BULKHEAD_CALL_INTERRUPT_PEND 16
#define BULKHEAD_CALL_QUEUE_AWAIT 17
#define BULKHEAD_CALL_QUEUE_WAKE 18
#define BULKHEAD_CALL_BOOT 19

#define BULKHEAD_CALLS 20

#endif
