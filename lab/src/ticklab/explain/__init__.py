# SPDX-License-Identifier: MIT
"""Explains the cost of a span: `ticklab-explain` replays recordings, and this package interprets
them.

answer.py is the vocabulary, replay.py runs the replay on a recording (storage/recordings.py),
categories.py divides instructions by kind of work, causes.py finds what the worst sample of a sweep
waited for, difference.py compares two spans, and instructions.py two versions of a function. The
views are in ticklab/views.
"""
