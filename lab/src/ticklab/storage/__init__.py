# SPDX-License-Identifier: MIT
"""Keeps measurements, images, runs and baselines in files that show damage."""
