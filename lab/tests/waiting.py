# SPDX-License-Identifier: MIT
"""Waits for what another process does. Has no limit of its own, because a busy machine may take any
time; pytest ends a test that is stuck, and shows where (ticklab/quality/python_tests.py)."""

from __future__ import annotations

import time
from collections.abc import Callable


def until(condition: Callable[[], bool]) -> None:
    while not condition():
        time.sleep(0.05)  # a condition may look at every process of the machine
