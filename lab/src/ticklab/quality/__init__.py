# SPDX-License-Identifier: MIT
"""The checks that Ticklab makes of itself: `ticklab test` runs them, on a developer's machine and
on the build server."""
