# SPDX-License-Identifier: MIT
"""One step of the set-up: the key that says whether it must run again, the stamp file that records
its success, and the log of its programs."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ticklab import paths
from ticklab.errors import TicklabError


def say(line: str) -> None:
    print(f"ticklab: {line}", file=sys.stderr, flush=True)


class Log:
    """Runs programs and appends their output to one file, which is kept so that failures can be
    diagnosed."""

    def __init__(self, path: Path) -> None:
        self.path = path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"")

    def run(
        self,
        what: str,
        command: Sequence[str | Path],
        hint: str,
        environment: Mapping[str, str] | None = None,
    ) -> str:
        """Runs `command` and returns its standard output. If the command fails, raises an error
        that says that `what` failed and why, and shows `hint`."""
        with self.path.open("a") as log:
            print("$", *command, file=log, flush=True)
            try:
                result = subprocess.run(
                    command,
                    stdout=subprocess.PIPE,
                    stderr=log,
                    text=True,
                    env={**os.environ, **(environment or {})},
                )
            except OSError as error:
                raise TicklabError(f"{what} failed: {command[0]}: {error.strerror}", hint) from None
            log.write(result.stdout)
        if result.returncode:
            raise TicklabError(f"{what} failed: {self._reason()}", f"{hint} (log: {self.path})")
        return result.stdout

    def _reason(self) -> str:
        """Returns the last line of the log that starts like an error, otherwise its last line."""
        lines = [line.strip() for line in self.path.read_text(errors="replace").splitlines()]
        lines = [line for line in lines if line]
        errors = [line for line in lines if line.lower().startswith(("error", "e: "))]
        return (errors or lines)[-1][:200]


@dataclass(frozen=True)
class SetupStep:
    name: str
    title: str
    key: Callable[[], str]  # hash of everything that determines the result
    present: Callable[[], bool]  # returns whether the product exists; must be fast
    action: Callable[[Log], None]
    # Returns the distribution's packages that `action` would install if it ran now.
    packages: Callable[[], Sequence[str]] = tuple
    after: Sequence[str] = ()  # names of the steps whose products `action` uses or changes

    def done(self) -> bool:
        try:
            stamp = self._stamp().read_text()
        except OSError:
            return False
        return stamp == self.key() and self.present()

    def make(self) -> None:
        self._stamp().unlink(missing_ok=True)
        self.action(Log(self.log))
        self._stamp().write_text(self.key())

    def failed(self) -> bool:
        """Returns whether the last attempt started and did not succeed."""
        return self.log.exists() and not self._stamp().exists()

    @property
    def log(self) -> Path:
        return paths.setup() / f"{self.name}.log"

    def _stamp(self) -> Path:
        return paths.setup() / f"{self.name}.stamp"


def digest(parts: Iterable[bytes | str]) -> str:
    total = hashlib.sha256()
    for part in parts:
        data = part.encode() if isinstance(part, str) else part
        total.update(len(data).to_bytes(8, "little") + data)
    return total.hexdigest()


def digest_files(files: Iterable[Path]) -> str:
    """Returns a hash of the names and contents of files; a missing file counts as empty."""
    parts: list[bytes | str] = []
    for file in sorted(files):
        parts += [str(file), file.read_bytes() if file.exists() else b""]
    return digest(parts)
