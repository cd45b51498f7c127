// SPDX-License-Identifier: MIT
//
// Work of known cost for Armv7-M. The boards' calibration.toml gives its cost without wait states,
// from the cores' technical reference manuals.
#include <platform/calibration_t32.inc>
