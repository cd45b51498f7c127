# SPDX-License-Identifier: MIT
"""Exports a timeline of a guest's events to trace viewers.

explain/timeline.py is the common part; each module encodes one format.
"""
