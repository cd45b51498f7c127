# SPDX-License-Identifier: MIT
"""Puts the rest of the repository that the host tool needs into its wheel, as ticklab/checkout:
kernels' ports, boards, suites, Bulkhead, the sources of the observer and of the hardware. paths.py
finds them there. pyproject.toml holds everything else."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py
from setuptools.command.sdist import sdist

LAB = Path(__file__).resolve().parent
PACKED = Path("ticklab", "checkout")
FOLDERS = ("bench", "bulkhead", "kernels", "marks", "observer", "platform", "rtl")
FILES = ("LICENSE", "lab/requirements.txt", "lab/requirements-campaign.txt")
LEFT_OUT = shutil.ignore_patterns("target", "__pycache__", "*.pyc", ".*")


def pack(into: Path) -> None:
    """Copies the repository's part of the wheel; from a source distribution, the copy in it."""
    copy = LAB / "src" / PACKED
    root = copy if copy.is_dir() else LAB.parent
    if not (root / "kernels").is_dir():
        raise SystemExit(f"error: {root} has no kernels; build the wheel in a clone of Ticklab")
    for name in FOLDERS:
        shutil.copytree(root / name, into / name, ignore=LEFT_OUT, dirs_exist_ok=True)
    for name in FILES:
        (into / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(root / name, into / name)
    (into / "COMMIT").write_text(commit(root))


def commit(root: Path) -> str:
    """Returns the commit that is packed, for the provenance of figures."""
    if (root / "COMMIT").is_file():
        return (root / "COMMIT").read_text()
    command = ["git", "-C", str(root), "describe", "--always", "--dirty", "--abbrev=40"]
    answer = subprocess.run([*command, "--exclude", "*"], capture_output=True, text=True)
    return answer.stdout.strip() or "unknown"


class BuildPy(build_py):
    def run(self) -> None:
        super().run()
        pack(Path(self.build_lib) / PACKED)


class Sdist(sdist):
    def make_release_tree(self, base_dir: str, files: list[str]) -> None:
        super().make_release_tree(base_dir, files)
        pack(Path(base_dir) / "src" / PACKED)


# A folder of builds in the clone would keep modules that were moved since.
with tempfile.TemporaryDirectory() as builds:
    options = {"build": {"build_base": builds}}
    setup(cmdclass={"build_py": BuildPy, "sdist": Sdist}, options=options)
