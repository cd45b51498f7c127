// SPDX-License-Identifier: MIT
//
// The fast paths of local.h on Armv7-M, with LDREX and STREX.
#include <bulkhead/exclusive.h>
