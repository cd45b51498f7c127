// SPDX-License-Identifier: MIT
//
// The tables of methods that rights point to, in read-only memory.

#include "optional.h"
#include <bulkhead/methods.h>
#include <lookup.inc>

    .section .rodata.methods, "a", %progbits
    .balign 4

#include "method_tables.inc"
