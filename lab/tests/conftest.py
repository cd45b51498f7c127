# SPDX-License-Identifier: MIT
"""Lets the programs that tests start import Ticklab, however pytest was started."""

from __future__ import annotations

import os
from pathlib import Path

os.environ["PYTHONPATH"] = str(Path(__file__).parents[1] / "src")
