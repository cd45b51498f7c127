// SPDX-License-Identifier: MIT
//
// The numbers of the methods of each kind of object, for C and for assembler. A system call has a
// handle, which is an index into the process's table of rights, and a method of the object of that
// right. svc.h has the registers. Written from core/calls by tools/calls.py.
#ifndef BULKHEAD_METHODS_H
#define BULKHEAD_METHODS_H

// Expands a macro and makes a string literal of the result.
#define BULKHEAD_TEXT(macro) BULKHEAD_TEXT_(macro)
#define BULKHEAD_TEXT_(macro) #macro

// The calling thread: the first right of every process. Threads come after it.
#define BULKHEAD_SELF 0
#define BULKHEAD_FIRST_THREAD 1

// The number of methods in a table of any kind of object, and the bytes of a right; both are powers
// of two.
#define BULKHEAD_METHODS 8
#define BULKHEAD_RIGHT_BYTES 8

// The number of bytes of a stack that one call of stack_left examines for marks.
#define BULKHEAD_MARKS_AT_ONCE 64

#define BULKHEAD_SELF_NULL 0
#define BULKHEAD_SELF_YIELD 1
#define BULKHEAD_SELF_EXIT 2
#define BULKHEAD_SELF_DELAY 3
#define BULKHEAD_SELF_NOTIFICATION_WAIT 4
#define BULKHEAD_SELF_DELAY_UNTIL 5

#define BULKHEAD_IDLE_BOOT 0
#define BULKHEAD_IDLE_WORK 1
#define BULKHEAD_IDLE_SLEEP 2

#define BULKHEAD_THREAD_NOTIFY 0
#define BULKHEAD_THREAD_RESUME 1
#define BULKHEAD_THREAD_SUSPEND 2
#define BULKHEAD_THREAD_START 3
#define BULKHEAD_THREAD_SET_PRIORITY 4
#define BULKHEAD_THREAD_JOIN 5

#define BULKHEAD_SEMAPHORE_TAKE 0
#define BULKHEAD_SEMAPHORE_GIVE 1

#define BULKHEAD_MUTEX_LOCK 0
#define BULKHEAD_MUTEX_UNLOCK 1

#define BULKHEAD_QUEUE_SEND 0
#define BULKHEAD_QUEUE_RECEIVE 1

#define BULKHEAD_LOCAL_QUEUE_AWAIT 0
#define BULKHEAD_LOCAL_QUEUE_WAKE 1

#define BULKHEAD_FLAGS_SET 0
#define BULKHEAD_FLAGS_CLEAR 1
#define BULKHEAD_FLAGS_WAIT_ANY 2
#define BULKHEAD_FLAGS_WAIT_ALL 3
#define BULKHEAD_FLAGS_TAKE_ANY 4
#define BULKHEAD_FLAGS_TAKE_ALL 5

#define BULKHEAD_GATE_CALL 0
#define BULKHEAD_GATE_CALL_TIMED 1
#define BULKHEAD_GATE_RECEIVE 2
#define BULKHEAD_GATE_RECEIVE_TIMED 3
#define BULKHEAD_GATE_CALL_LENDING 4
#define BULKHEAD_GATE_LEASE_READ 5
#define BULKHEAD_GATE_LEASE_WRITE 6

#define BULKHEAD_POOL_ALLOCATE 0
#define BULKHEAD_POOL_FREE 1

#define BULKHEAD_TIMER_START 0
#define BULKHEAD_TIMER_STOP 1

#define BULKHEAD_INTERRUPT_PEND 0
#define BULKHEAD_INTERRUPT_ACKNOWLEDGE 1
#define BULKHEAD_INTERRUPT_WAIT 2

#define BULKHEAD_PROCESS_FAULT_READ 0
#define BULKHEAD_PROCESS_RESTART 1
#define BULKHEAD_PROCESS_END 2
#define BULKHEAD_PROCESS_IS_ENDED 3
#define BULKHEAD_PROCESS_NOTE 4

#define BULKHEAD_RECORD_READ 0
#define BULKHEAD_RECORD_RESET 1

#define BULKHEAD_MEASURED_STACK_LEFT 0
#define BULKHEAD_MEASURED_TIME 1

#endif
