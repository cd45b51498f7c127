# SPDX-License-Identifier: MIT
"""Defines the mutants of the laboratory, in lab/tests/mutants: Python code that computes wrong
figures or verdicts, and ports that each break one obligation of bench/port.h.

For Python, `caught_by` names a file of lab/tests; for a port, a conformance scenario. The entry of
a port has no `file`, `old` and `new`, because the mutant replaces functions of a correct port
(lab/tests/test_broken_ports.py).
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

from ticklab import paths
from ticklab.quality.item import CheckError, Item, ItemOptions
from ticklab.quality.mutants import Area, Mutant, read
from ticklab.quality.python_tests import LAB, TOOLS, pytest_words

FOLDER = LAB / "tests" / "mutants"
COPIED = ("src", "tests")
_PASSED, _FAILED = 0, 1  # exit statuses of pytest


def items(choice: ItemOptions) -> Iterator[Item]:
    python = Area(
        "python",
        LAB,
        read("python", (FOLDER / "python").glob("*.toml")),
        _python,
        ["lab"],
        [],
        seconds=lambda _: 1,
        part=4,  # a mutant takes less time here than in another area
    )
    ports = Area(
        "ports",
        LAB,
        read("ports", (FOLDER / "ports").glob("*.toml")),
        _port,
        ["lab", "bench", "kernels", "platform", "observer", "rtl"],
        TOOLS,
        seconds=lambda _: 4,
        keys=(
            "of",
            "board",
            "replaces",
            "code",
            "services",
            "config",
            "declares",
            "says",
            "measured",
        ),
    )
    yield from python.items(choice)
    yield from ports.items(choice)


def _python(mutant: Mutant, folder: Path) -> str | None:
    """Runs a test file in a copy of lab/, with links to the rest of the checkout. Returns why the
    test failed, or None."""
    lab = folder / "lab"
    for entry in paths.CHECKOUT.iterdir():
        if entry.name not in ("lab", ".ticklab"):
            (folder / entry.name).symlink_to(entry)
    for name in COPIED:
        shutil.copytree(LAB / name, lab / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(LAB / "pyproject.toml", lab)
    mutant.plant(lab)
    status, said = _pytest(folder, lab, ["-x", f"tests/{mutant.caught_by}"])
    if status not in (_PASSED, _FAILED):
        raise CheckError(f"{mutant.what}: pytest ended with status {status}\n{said}")
    return said.splitlines()[-1] if status == _FAILED else None


def _port(mutant: Mutant, folder: Path) -> str | None:
    """Runs the tests that pass if conformance catches the faulty port."""
    status, said = _pytest(folder, LAB, ["tests/test_broken_ports.py", "-k", f"[{mutant.fault}]"])
    print(said)
    return str(mutant.own["says"]) if status == _PASSED else None


def _pytest(folder: Path, lab: Path, words: list[str]) -> tuple[int, str]:
    environment = {
        **os.environ,
        "TICKLAB_HOME": str(paths.home()),
        "PYTHONPATH": str(lab / "src"),
    }
    result = subprocess.run(
        [paths.tool("python"), "-P", "-m", "pytest", *pytest_words(folder, words)],
        cwd=lab,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        check=False,
    )
    return result.returncode, result.stdout
