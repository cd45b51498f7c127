# SPDX-License-Identifier: MIT
"""Compares records: which is faster, what changed, what may not be ranked."""
