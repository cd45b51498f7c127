// SPDX-License-Identifier: MIT
//
// The fast halves of local.h in the model: the explorer sees each access (svc.h).
#include <bulkhead/exclusive.h>
