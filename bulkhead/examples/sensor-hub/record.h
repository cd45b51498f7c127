// SPDX-License-Identifier: MIT
//
// The messages to the logger.
#ifndef RECORD_H
#define RECORD_H

#include <stdint.h>

enum record_kind {
    RECORD_POSITION, // of the control: its period, the position
    RECORD_SUMMARY,  // of the control: its period, the missed periods, the sum of all positions
    RECORD_FAULT,    // of the supervisor: the number of faults, their kind, the address
    RECORD_RESET,    // of the supervisor: the tick of the last entry before, its cause, its thread
};

struct record {
    uint32_t kind;
    uint32_t words[3];
};

#endif
