# SPDX-License-Identifier: MIT
"""The summary of a run: its records as a matrix, which kernels are unbeaten, by how much, and what
has no figure. Terminal, report and JSON are drawn from this package, so they cannot disagree."""
