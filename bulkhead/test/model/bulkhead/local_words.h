// SPDX-License-Identifier: MIT
//
// The fast halves of local.h in the model: each access is seen by the explorer (svc.h).
#include <bulkhead/exclusive.h>
