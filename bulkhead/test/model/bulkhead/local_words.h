// SPDX-License-Identifier: MIT
//
// The fast paths of local.h for the model: every access to a shared word is a step of the explorer
// (svc.h).
#include <bulkhead/exclusive.h>
