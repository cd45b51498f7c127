// SPDX-License-Identifier: MIT
//
// The message from the driver to the logger.
#ifndef SAMPLE_H
#define SAMPLE_H

#include <stdint.h>

struct sample {
    uint32_t number; // counts samples from 1
    uint32_t lost;   // number of samples lost before this one, because the queue was full
};

#endif
