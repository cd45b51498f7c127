// SPDX-License-Identifier: MIT
//
// Defines the memory of the client in the test of leases (lease.c).
#include "lease.h"

uint8_t client_buffer[COMMON_BYTES] = {[0 ... COMMON_BYTES - 1] = FIRST_BYTE};
