# SPDX-License-Identifier: MIT
"""Exports a timeline of a guest's events to trace viewers.

timeline.py is the common part; every other module encodes one format.
"""
