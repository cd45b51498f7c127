// SPDX-License-Identifier: MIT
//
// The results of a system call.
#ifndef BULKHEAD_RESULT_H
#define BULKHEAD_RESULT_H

enum bulkhead_result {
    BULKHEAD_OK = 0,
    BULKHEAD_TIMED_OUT, // the time has passed
    BULKHEAD_REFUSED,   // the state of the object does not allow the call
    BULKHEAD_DENIED,    // no right to the object, or to the memory of the message
    BULKHEAD_PEER_LOST, // the thread that should have woken the caller has ended
};

#endif
