// SPDX-License-Identifier: MIT
//
// The results of a system call.
#ifndef BULKHEAD_RESULT_H
#define BULKHEAD_RESULT_H

// Marks a call whose result the caller has to use: without the result the caller does not know
// whether it holds the mutex, has the message, or was answered. A caller that needs no result
// writes (void) before the call. GCC's own attribute does not accept that (void).
#if defined(__GNUC__) && !defined(__clang__) || defined(__cplusplus)
#define BULKHEAD_MUST_USE [[nodiscard]]
#else
#define BULKHEAD_MUST_USE __attribute__((warn_unused_result))
#endif

enum bulkhead_result {
    BULKHEAD_OK = 0,
    BULKHEAD_TIMED_OUT, // the time has passed
    BULKHEAD_REFUSED,   // the state of the object does not allow the call
    BULKHEAD_DENIED,    // no right to the object, or to the memory of the message
    BULKHEAD_PEER_LOST, // the thread that should have woken the caller has ended
};

#endif
