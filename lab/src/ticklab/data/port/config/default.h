// SPDX-License-Identifier: MIT
//
// The kernel's configuration: macros only, for it comes before every source, assembler too.
