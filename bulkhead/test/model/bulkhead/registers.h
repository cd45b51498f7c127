// SPDX-License-Identifier: MIT
//
// The registers in a fault report, which is empty: no thread of the model has a fault frame.
#ifndef BULKHEAD_REGISTERS_H
#define BULKHEAD_REGISTERS_H

#include <stdint.h>

struct bulkhead_registers {
    uint32_t pc;
};

#endif
