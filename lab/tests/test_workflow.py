# SPDX-License-Identifier: MIT
"""Tests that the build server runs all parts of `ticklab test`, and that the commit hooks name
tests that exist."""

from __future__ import annotations

import re

from ticklab import paths
from ticklab.quality import catalogue
from ticklab.quality.item import ItemOptions


def test_the_build_server_runs_every_part() -> None:
    text = (paths.CHECKOUT / ".github" / "workflows" / "test.yml").read_text()
    (matrix,) = re.findall(r"shard: \[(.*)\]", text)
    (parts,) = re.findall(r"--shard \$\{\{ matrix.shard \}\}/(\d+)", text)
    assert [int(part) for part in matrix.split(",")] == list(range(1, int(parts) + 1))


def test_hooks_name_tests_that_exist() -> None:
    text = (paths.CHECKOUT / ".pre-commit-config.yaml").read_text()
    named = " ".join(re.findall(r"entry: ./ticklab test (.*)", text)).split()
    assert named
    assert set(named) <= {item.name for item in catalogue.every(ItemOptions())}
