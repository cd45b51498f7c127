# SPDX-License-Identifier: MIT
"""What one event log says: samples, their statistics, and whether the kernel did the work."""
