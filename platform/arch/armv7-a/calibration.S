// SPDX-License-Identifier: MIT
//
// Code of known cost (bench/calibration.h) for Armv7-A, in T32, as for Armv7-M, so that it executes
// the same number of instructions. No board states its cycles: these cores have no cycle model.
#include <platform/calibration_t32.inc>
