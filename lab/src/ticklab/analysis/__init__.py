# SPDX-License-Identifier: MIT
"""Reads one event log: samples, their statistics, and whether the kernel did the work."""
