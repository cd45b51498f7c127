# SPDX-License-Identifier: MIT
"""Decodes the names that compilers of C++ and Rust give to symbols, with the program c++filt of the
compiler. observer/explain/src/symbols.rs does the same for the functions of an explanation."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterable, Mapping

_ENCODED = ("_R", "_Z")


def decode(names: Iterable[str], triple: str) -> Mapping[str, str]:
    """Returns the decoded form of each mangled name among `names`, without hashes and parameter
    lists. Returns an empty mapping if there is no c++filt."""
    encoded = sorted({name for name in names if name.startswith(_ENCODED)})
    program = shutil.which(f"{triple}-c++filt")
    if not encoded or program is None:
        return {}
    answer = subprocess.run(
        [program, "--no-verbose", "--no-params"],
        input="\n".join(encoded),
        capture_output=True,
        text=True,
        check=False,
    )
    decoded = answer.stdout.splitlines()
    return dict(zip(encoded, decoded, strict=True)) if len(decoded) == len(encoded) else {}
