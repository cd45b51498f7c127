// SPDX-License-Identifier: MIT
//
// Code of known cost (bench/calibration.h) for Armv7-M. Its cost in cycles is in the boards'
// calibration.toml, derived from the cores' technical reference manuals.
#include <platform/calibration_t32.inc>
