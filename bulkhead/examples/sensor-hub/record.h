// SPDX-License-Identifier: MIT
//
// The messages that other processes send to the logger.
#ifndef RECORD_H
#define RECORD_H

#include <stdint.h>

enum record_kind {
    RECORD_POSITION, // from the control loop: its period, the position
    // from the control loop: its period, the missed periods, the sum of all positions
    RECORD_SUMMARY,
    RECORD_FAULT, // from the supervisor: the number of faults, their kind, the address
    // from the supervisor: the tick of the last entry before the reset, its cause, its thread
    RECORD_RESET,
};

struct record {
    uint32_t kind;
    uint32_t words[3];
};

#endif
