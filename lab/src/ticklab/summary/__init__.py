# SPDX-License-Identifier: MIT
"""Summarises a run: arranges its records as a matrix, and finds which kernels are unbeaten, by how
much, and which records have no figure. Terminal, report and JSON all show this summary, so they
cannot disagree."""
