# SPDX-License-Identifier: MIT
"""Builds images: compiles a kernel once for each configuration, board and set of flags, and links
it to each scenario.

Ticklab writes the build file for Ninja itself, without CMake. So every flag is defined in one place
(flags.py) and recorded in the provenance, and one call of Ninja builds the cases of all sets of
flags in parallel. Images do not depend on the location of the checkout.
"""

from ticklab.building.images import Progress, adapt_levels, build
from ticklab.building.toolchain import Toolchain, as_of, find_toolchain

__all__ = [
    "Progress",
    "Toolchain",
    "adapt_levels",
    "as_of",
    "build",
    "find_toolchain",
]
