# SPDX-License-Identifier: MIT
"""Ticklab's host tool: builds kernels with scenarios, runs them, and says what they cost."""

__version__ = "0.2.0"
