# SPDX-License-Identifier: MIT
"""From a declaration of a whole system to the tables and the linker script of its image.

`model` is what can be declared, `check` what is wrong with it, `placement` where everything lies,
`emit_c` and `emit_ld` write it down. Whoever has another source of declarations builds a model.
"""
