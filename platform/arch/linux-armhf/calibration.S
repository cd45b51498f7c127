// SPDX-License-Identifier: MIT
//
// Code of known cost (bench/calibration.h) for programs under Linux on Armv7-A: the same
// instructions as in images without an operating system.
#include <platform/calibration_t32.inc>
