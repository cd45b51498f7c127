# SPDX-License-Identifier: MIT
"""A timeline of what a guest did, in the formats of the tools that people look at traces with.

timeline.py is the common ground; each format is one module that only encodes.
"""
