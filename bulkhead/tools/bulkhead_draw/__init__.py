# SPDX-License-Identifier: MIT
"""Shows the isolation of a declared system, that is, what each process may access, as text, as a
picture or as JSON.

isolation.py reads the declaration, cards.py describes in words what it permits, and text.py and
svg.py show these descriptions. Only the standard library is used, as in the generator.
"""
