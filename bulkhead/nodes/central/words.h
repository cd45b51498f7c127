// SPDX-License-Identifier: MIT
//
// The messages between the master and the other nodes: one word through the doorbell in each
// direction.
//
// A node sends a request and waits for the answer, so it has at most one request under way. A new
// word of the master replaces the word before it. Each word holds all that the node must know: the
// thread to run, and the result of the last request that was served, with its sequence number. So
// no information is lost if a decision without a request replaces an answer, or the other way
// round. By the sequence number, a node that waits for an answer knows which words are older than
// its request.
//
// A request names its caller, because the master may have selected another thread for this node
// before the request arrived. model/central.pml has the protocol, and shows the error that occurs
// without each part.
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
#define DECISION_NONE 64u // instead of a thread: no thread is ready

#define SEQUENCE_MASK 63u

#endif
