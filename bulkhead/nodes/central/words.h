// SPDX-License-Identifier: MIT
//
// What the master and the other nodes say to each other: one word through the doorbell, each way.
//
// A node asks and waits for the answer, so it has one request on its way at most. The master's
// words replace each other: each holds all that the node must know, which is the thread to run,
// and the result of the last request that was served, by its sequence number. So it is no loss if
// a decision that nobody asked for replaces an answer, or an answer such a decision. The sequence
// number tells a node that waits for an answer which words are older than its request.
//
// A request names its caller: the master may have decided for another thread, and said so, before
// the request came. model/central.pml has the protocol and what goes wrong without each part.
#ifndef NODES_WORDS_H
#define NODES_WORDS_H

#include <stdint.h>

// A request: sequence number, call, caller, argument.
#define REQUEST(sequence, call, caller, argument) \
    ((sequence) << 26 | (call) << 22 | (caller) << 16 | (argument))
#define REQUEST_SEQUENCE(word) ((word) >> 26)
#define REQUEST_CALL(word) ((word) >> 22 & 15)
#define REQUEST_CALLER(word) ((word) >> 16 & 63)
#define REQUEST_ARGUMENT(word) ((word) & 0xffff)
#define REQUEST_ARGUMENT_MAX 0xffffu

// The master's word: sequence number, result, thread to run.
#define ANSWER(sequence, result) ((sequence) << 26 | (result) << 8)
#define DECISION_SEQUENCE(word) ((word) >> 26)
#define DECISION_RESULT(word) ((word) >> 8 & 7)
#define DECISION_THREAD(word) ((word) & 63)
#define DECISION_NONE 64u // in the thread's place: none is ready

#define SEQUENCE_MASK 63u

#endif
