// SPDX-License-Identifier: MIT
//
// Tasks block at a mutex whose owner has their priority, so that blocking changes no priority.
#include "services.h"

enum { OWNER_PRIORITY = HIGH_PRIORITY, LAST_PRIORITY = HIGH_PRIORITY };

#include "mutex_blocking.h"
