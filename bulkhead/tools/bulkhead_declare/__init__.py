# SPDX-License-Identifier: MIT
"""Translates the declaration of a whole system to the tables and the linker script of its image.

`model` defines what can be declared, `check` finds mistakes in it, `placement` assigns addresses,
`emit_c` and `emit_ld` write the result. A program with another source of declarations builds a
model itself.
"""
