// SPDX-License-Identifier: MIT
//
// The message from the meter to the printer.
#ifndef READING_HPP
#define READING_HPP

#include <stdint.h>

struct Reading {
    uint32_t samples;
    uint32_t sum;
};

#endif
