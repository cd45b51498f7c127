# SPDX-License-Identifier: MIT
"""The isolation of a declared system, as text, as a picture, and as JSON.

isolation.py reads the declaration, cards.py says in words what it permits, and text.py and svg.py
show these words. The standard library is enough, as for the generator.
"""
