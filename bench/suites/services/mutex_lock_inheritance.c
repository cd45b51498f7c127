// SPDX-License-Identifier: MIT
//
// The owner is below the waiters: it inherits their priority when they block, and loses it when it
// unlocks.
#include "services.h"

enum { OWNER_PRIORITY = LOW_PRIORITY, LAST_PRIORITY = HIGH_PRIORITY - 1 };

#include "mutex_blocking.h"
