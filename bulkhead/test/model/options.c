// SPDX-License-Identifier: MIT
//
// The optional parts of the kernel that the model has.
#include "options/restart.c"
