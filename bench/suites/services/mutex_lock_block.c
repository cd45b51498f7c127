// SPDX-License-Identifier: MIT
//
// The owner has the waiters' priority: blocking changes nobody's.
#include "services.h"

enum { OWNER_PRIORITY = HIGH_PRIORITY, LAST_PRIORITY = HIGH_PRIORITY };

#include "mutex_blocking.h"
