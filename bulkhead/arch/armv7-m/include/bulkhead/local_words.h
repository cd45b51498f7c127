// SPDX-License-Identifier: MIT
//
// The fast halves of local.h on Armv7-M: LDREX and STREX.
#include <bulkhead/exclusive.h>
