// SPDX-License-Identifier: MIT
//
// Work of known cost for programs of Linux on Armv7-A: the same instructions as without a
// system.
#include <platform/calibration_t32.inc>
