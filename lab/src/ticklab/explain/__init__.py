# SPDX-License-Identifier: MIT
"""Why a span costs what it costs: recordings replayed by `ticklab-explain`, and what that means.

answer.py is the vocabulary, replay.py asks the replay, recordings.py finds or makes what it reads,
categories.py says what kind of work an instruction does, causes.py what the worst sample of a sweep
waited for, difference.py sets two spans side by side, and instructions.py two versions of a
function. How it is shown is in ticklab/views.
"""
