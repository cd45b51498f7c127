# SPDX-License-Identifier: MIT
"""Keeps measurements, recordings, runs and baselines in files that show damage."""
