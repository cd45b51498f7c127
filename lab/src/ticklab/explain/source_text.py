# SPDX-License-Identifier: MIT
"""Finds the text of source lines, which debug information names by file and number only.

A file is searched by its name among the sources and headers of the kernel, the benchmark and its
platform. Files with the same name are left out, and so are files that are newer than the image,
because their lines may not be those that were compiled.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Set
from pathlib import Path

from ticklab import paths
from ticklab.description.model import Core, Kernel

_OURS = ("bench", "platform")
_HEADERS = ("*.h", "*.inc")
_SOURCES = ("*.c", "*.S", *_HEADERS)


def of_lines(lines: Iterable[str], image: Path, kernel: Kernel, core: Core) -> Mapping[str, str]:
    """Returns the text of each source line FILE:LINE in `lines` whose file is found."""
    files = _by_name(kernel, core)
    linked = image.stat().st_mtime
    found: dict[str, str] = {}
    wanted = set(lines)
    for name in sorted({line.rpartition(":")[0] for line in wanted}):
        file = files.get(name)
        if file and file.stat().st_mtime <= linked:
            texts = file.read_text(errors="replace").splitlines()
            found |= dict(_of_file(name, texts, wanted))
    return found


def _of_file(name: str, texts: list[str], wanted: Set[str]) -> Iterator[tuple[str, str]]:
    for number, text in enumerate(texts, start=1):
        if (line := f"{name}:{number}") in wanted:
            yield line, " ".join(text.split())


def _by_name(kernel: Kernel, core: Core) -> dict[str, Path | None]:
    """Maps each file name to the file, or to None if several files have the name."""
    found: dict[str, Path | None] = {}
    for file in {path.resolve() for path in (*_of_kernel(kernel, core), *_ours())}:
        found[file.name] = None if file.name in found else file
    return found


def _of_kernel(kernel: Kernel, core: Core) -> Iterator[Path]:
    root = paths.crate(kernel.source.crate) / kernel.source.folder if kernel.source else None
    parts = (name for part in kernel.parts(core) for name in part.sources)
    for name in (*kernel.sources, *parts):
        if name.startswith("@/"):
            yield from root.glob(name.removeprefix("@/")) if root else ()
        else:
            path = kernel.folder / name  # an absolute name replaces the folder
            yield from path.parent.glob(path.name)
    for folder in filter(None, (kernel.folder, root)):
        yield from (file for kind in _HEADERS for file in folder.rglob(kind))


def _ours() -> Iterator[Path]:
    folders = (paths.CHECKOUT / name for name in _OURS)
    yield from (file for folder in folders for kind in _SOURCES for file in folder.rglob(kind))
