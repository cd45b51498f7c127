// SPDX-License-Identifier: MIT
//
// Tasks block at a mutex whose owner has a lower priority: the owner inherits their priority when
// they block, and loses it when it unlocks.
#include "services.h"

enum { OWNER_PRIORITY = LOW_PRIORITY, LAST_PRIORITY = HIGH_PRIORITY - 1 };

#include "mutex_blocking.h"
