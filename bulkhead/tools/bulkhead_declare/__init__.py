# SPDX-License-Identifier: MIT
"""Translates the declaration of a whole system to the tables and the linker script of its image.

`model` defines what can be declared, `source` reads a declaration from a TOML file, `check` finds
mistakes in it, `placement` assigns addresses, `emit_c` and `emit_ld` write the result. A program
that gets its declaration from elsewhere builds a `model.System` itself.
"""
