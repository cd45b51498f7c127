# SPDX-License-Identifier: MIT
"""Ticklab's host tool: builds kernels with scenarios, runs them, and says what they cost."""
