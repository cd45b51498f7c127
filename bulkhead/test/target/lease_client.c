// SPDX-License-Identifier: MIT
//
// Memory of the client of lease.c.
#include "lease.h"

uint8_t client_buffer[COMMON_BYTES] = {[0 ... COMMON_BYTES - 1] = FIRST_BYTE};
