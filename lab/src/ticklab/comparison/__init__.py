# SPDX-License-Identifier: MIT
"""Compares records: finds which kernel is faster, what changed since a baseline, and which records
may not be ranked."""
