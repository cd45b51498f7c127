// SPDX-License-Identifier: MIT
//
// Work of known cost for Armv7-A, in T32, so that it can have any alignment. No board states its
// cost, because these cores have no cycle model; its count is that of Armv7-M.
#include <platform/calibration_t32.inc>
