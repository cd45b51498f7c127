// SPDX-License-Identifier: MIT
//
// The tables of methods that rights point to: the entries in entry.S and gate.S, by the numbers of
// bulkhead/methods.h. The system starts without a call, so IDLE_BOOT is denied.

#include <bulkhead/methods.h>
#include <lookup.inc>

#define GATE_CALL gate_call_idle
#define GATE_RECEIVE gate_receive_answering
#define IDLE_BOOT denied
#define LOCAL_SEMAPHORE_GIVE local_semaphore_give
#define QUEUE_SEND_FOUR enter_queue_send
#define QUEUE_RECEIVE_FOUR enter_queue_receive

    .section .rodata.methods, "a", %progbits
    .balign 4

#include "method_tables.inc"
