# SPDX-License-Identifier: MIT
"""Explains the cost of a span: the observer follows a second run of the image, and this package
interprets what it found.

answer.py is the vocabulary, second_run.py runs an image again and asks the observer,
categories.py divides instructions by kind of work, causes.py finds what the worst sample of a sweep
waited for, difference.py compares two spans, and instructions.py two versions of a function. The
views are in ticklab/views.
"""
