# SPDX-License-Identifier: MIT
"""The build server's matrix and the commit hooks name steps of `ticklab test` that exist."""

from __future__ import annotations

import re

from ticklab import paths
from ticklab.quality import steps

KNOWN = [step.name for step in steps.STEPS]


def test_the_build_server_runs_every_step() -> None:
    text = (paths.CHECKOUT / ".github" / "workflows" / "test.yml").read_text()
    matrix = text.partition("step:\n          - ")[2].partition("    steps:")[0]
    assert sorted(re.findall(r"[\w-]{3,}", matrix)) == sorted(KNOWN)


def test_hooks_name_steps_that_exist() -> None:
    text = (paths.CHECKOUT / ".pre-commit-config.yaml").read_text()
    named = " ".join(re.findall(r"entry: ./ticklab test (.*)", text)).split()
    assert named
    assert set(named) <= set(KNOWN)
