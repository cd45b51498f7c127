# SPDX-License-Identifier: MIT
"""Describes what is measured, and where: the vocabulary (model.py), and the readers of kernel.toml,
board.toml, profile.toml and suite.toml."""
