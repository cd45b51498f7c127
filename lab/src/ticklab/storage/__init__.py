# SPDX-License-Identifier: MIT
"""Keeps measurements, images, runs and baselines in files with checksums, so that damage is
noticed."""
