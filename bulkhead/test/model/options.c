// SPDX-License-Identifier: MIT
//
// Includes the optional parts of the kernel that the model explores.
#include "options/lease.c"
#include "options/restart.c"
