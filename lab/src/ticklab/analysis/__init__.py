# SPDX-License-Identifier: MIT
"""Reads the event log of one observation: extracts the samples, computes their statistics, and
checks whether the kernel did the work of the scenario."""
