# SPDX-License-Identifier: MIT
"""Builds images: a kernel once for each configuration, board and set of flags, a scenario linked to
it.

Ninja is driven directly, without CMake: every flag stands in one place (flags.py) and in the
provenance, nothing is configured twice, and one call builds the cases of six sets of flags side by
side. Images do not depend on where the checkout is.
"""

from ticklab.build.flags import LEVELS, best_levels
from ticklab.build.images import Progress, build
from ticklab.build.toolchain import Toolchain, as_of, find_toolchain

__all__ = ["LEVELS", "Progress", "Toolchain", "as_of", "best_levels", "build", "find_toolchain"]
