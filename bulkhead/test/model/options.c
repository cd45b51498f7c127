// SPDX-License-Identifier: MIT
//
// The optional parts of the kernel that the model has.
#include "options/lease.c"
#include "options/restart.c"
