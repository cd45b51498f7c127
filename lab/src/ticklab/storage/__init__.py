# SPDX-License-Identifier: MIT
"""Stores measurements, images, runs and baselines in files with checksums, by which a damaged file
is recognised."""
