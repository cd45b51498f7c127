# SPDX-License-Identifier: MIT
"""The checks of the project itself: `ticklab test` runs them, here and on the build server."""
