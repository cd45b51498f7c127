# SPDX-License-Identifier: MIT
"""Proves properties of core/ for every value that a process can give: proofs/*_proof.c.

The checker is ESBMC, a bounded model checker, from the package that lab/requirements-proofs.txt
pins. Set-up installs it where the package has it for this machine.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from build import BULKHEAD, TestError, run

from ticklab import paths

_PROOF = re.compile(r"^(LONG_)?PROOF\((\w+), (\d+)\) \{$", re.MULTILINE)
# By default the checker tests bounds, pointers, alignment and division. These options add overflows
# and undefined shifts.
_CHECKS = ("--overflow-check", "--ub-shift-check")
# Headers of a 32-bit target without an operating system. Assertions of layout are removed, because
# the checker does not evaluate them.
_FREESTANDING = ("--32", "-f", "freestanding", "-D_Static_assert(...)=")
SECONDS = 600


@dataclass(frozen=True)
class Proof:
    file: str  # name of the file without `_proof.c`
    name: str
    passes: int  # upper limit: every loop takes fewer passes
    is_long: bool

    @property
    def label(self) -> str:
        return f"{self.file}/{self.name.replace('_', '-')}"

    def check(self, folder: Path, bulkhead: Path = BULKHEAD) -> str:
        """Runs the model checker on the proof. Returns the number of properties that hold, or
        raises an error with the first one that does not."""
        del folder
        if not paths.checker().exists():
            return "skipped: the model checker's package has nothing for this machine"
        said = run(self._command(bulkhead), seconds=SECONDS)
        holds = re.search(r"0 of \d+ properties failed, (\d+) passed", said)
        if not holds or "VERIFICATION SUCCESSFUL" not in said:
            raise TestError(f"proof of {self.label}: {said}")
        return f"{holds[1]} properties hold for every value, {self.passes - 1} passes of a loop"

    def _command(self, bulkhead: Path) -> list[str | Path]:
        proofs, core = bulkhead / "test" / "proofs", bulkhead / "core"
        places = (
            proofs,
            core,
            core / "hooks" / "none",
            bulkhead / "include",
            proofs.parent / "model",
        )
        return [
            paths.checker(), proofs / f"{self.file}_proof.c", *_FREESTANDING, *_CHECKS,
            *(word for place in places for word in ("-I", place)),
            "--function", f"proof_{self.name}", "--unwind", str(self.passes), "--color", "never",
        ]  # fmt: skip


def every() -> Iterator[Proof]:
    for file in sorted((BULKHEAD / "test" / "proofs").glob("*_proof.c")):
        for is_long, name, passes in _PROOF.findall(file.read_text()):
            yield Proof(file.name.removesuffix("_proof.c"), name, int(passes), bool(is_long))
