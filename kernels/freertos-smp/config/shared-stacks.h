// SPDX-License-Identifier: MIT
//
// The default configuration with all stacks in the memory that the cores share, so that a task may
// move to another core.
#define SMP_LOCAL_STACKS 0
#include "default.h"
