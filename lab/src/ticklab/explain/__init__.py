# SPDX-License-Identifier: MIT
"""Explains the cost of a span: the image runs a second time while the observer follows every call,
and this package interprets the observer's result.

answer.py has the types of an explanation, second_run.py runs an image again and gets the
explanation from the observer, categories.py divides instructions by kind of work, causes.py finds
which code delayed the interrupt at the worst position of a sweep, difference.py compares two spans,
and instructions.py compares two versions of a function. The views are in ticklab/views.
"""
