// SPDX-License-Identifier: MIT
//
// How a system call ended.
#ifndef BULKHEAD_RESULT_H
#define BULKHEAD_RESULT_H

enum bulkhead_result {
    BULKHEAD_OK = 0,
    BULKHEAD_TIMED_OUT, // not available in time
    BULKHEAD_REFUSED,   // the object is not in a state for it
    BULKHEAD_DENIED,    // no right to the object, or to the memory of the message
    BULKHEAD_PEER_LOST, // who should have ended the waiting has ended
};

#endif
