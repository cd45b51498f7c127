// SPDX-License-Identifier: MIT
//
// The registers in a fault report. The model has none, because its threads have no exception
// frames.
#ifndef BULKHEAD_REGISTERS_H
#define BULKHEAD_REGISTERS_H

#include <stdint.h>

struct bulkhead_registers {
    uint32_t pc;
};

#endif
