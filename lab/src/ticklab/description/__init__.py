# SPDX-License-Identifier: MIT
"""Describes kernels, boards, timing profiles and suites: the data types (model.py), and the readers
of kernel.toml, board.toml, profile.toml and suite.toml."""
