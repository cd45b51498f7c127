# SPDX-License-Identifier: MIT
"""What the project checks about itself: `ticklab test` runs it, here and on the build server."""
