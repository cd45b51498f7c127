// SPDX-License-Identifier: MIT
//
// The owner has the waiters' priority, so blocking changes no priority.
#include "services.h"

enum { OWNER_PRIORITY = HIGH_PRIORITY, LAST_PRIORITY = HIGH_PRIORITY };

#include "mutex_blocking.h"
