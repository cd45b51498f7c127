# SPDX-License-Identifier: MIT
"""Finds the source files of an image, and returns the flags that keep this machine's paths out of
the image."""

from __future__ import annotations

from pathlib import Path

from ticklab import paths
from ticklab.description.model import Case
from ticklab.errors import TicklabError

_COMMON = ("verdict.c", "unsupported.c", "say.c")
_BY_INTERFACE = {"thread-metric": ("thread_metric_port.c",)}


def matching(case: Case, name: str) -> list[Path]:
    """Returns the source files that match a name in a description; `*` matches any part of a file
    name."""
    path = placed(case, name)
    if "*" not in name:
        return [path]
    found = sorted(path.parent.glob(path.name))
    if not found:
        raise TicklabError(
            f"no source matches '{name}' of {case.variant.kernel.name}", f"see {path.parent}"
        )
    return found


def placed(case: Case, name: str) -> Path:
    """Returns the path of a file or folder that a description names. "@/" stands for the root of
    the kernel's source."""
    root = source_root(case)
    if root and name.startswith("@/"):
        return root / name[2:]
    return case.variant.kernel.folder / name


def source_root(case: Case) -> Path | None:
    source = case.variant.kernel.source
    return paths.crate(source.crate) / source.folder if source else None


def of_platform(case: Case) -> list[Path]:
    bench = paths.CHECKOUT / "bench" / "src"
    names = (*_COMMON, *_BY_INTERFACE.get(case.variant.kernel.interface, ()))
    folders = (platform() / "common", architecture(case), case.variant.board.folder)
    found = [file for folder in folders for file in _sources_in(folder)]
    return [*(bench / name for name in names), *sorted(_with_ring(case, found))]


def _sources_in(folder: Path) -> list[Path]:
    return [file for file in folder.iterdir() if file.suffix in (".c", ".S")]


def _with_ring(case: Case, found: list[Path]) -> list[Path]:
    """Returns the sources of the platform. On a board whose marks write to a ring buffer in memory,
    the console driver of the ring replaces that of the architecture."""
    if not case.variant.board.machine.has_ring:
        return found
    ring = {file.name: file for file in _sources_in(platform() / "ring")}
    return [*(file for file in found if file.name not in ring), *ring.values()]


def platform() -> Path:
    return paths.CHECKOUT / "platform"


def architecture(case: Case) -> Path:
    return platform() / "arch" / case.variant.core.arch.name


def prefix_maps(case: Case) -> tuple[str, ...]:
    """Returns the compiler flags that remove this machine's paths from the image. If several flags
    match a path, the compiler applies the last.

    GCC 12 does not pass -ffile-prefix-map to the assembler, but it does pass -fmacro-prefix-map and
    -fdebug-prefix-map, which together do the same.
    """
    kernel = case.variant.kernel
    return _maps((kernel.folder, f"kernels/{kernel.name}"))


def platform_maps(case: Case) -> tuple[str, ...]:
    """Returns the flags of `prefix_maps` for the platform's sources. The kernel's folder is left
    out, unless the board is in it, so that all kernels share the platform's objects."""
    is_inside = case.variant.board.folder.is_relative_to(case.variant.kernel.folder)
    return prefix_maps(case) if is_inside else _maps()


def _maps(*more: tuple[Path, str]) -> tuple[str, ...]:
    places = [(paths.CHECKOUT, "."), *more, (paths.crate(""), "sources"), (paths.builds(), "build")]
    kinds = ("-fdebug-prefix-map", "-fmacro-prefix-map")
    return tuple(f"{kind}={place}={name}" for place, name in places for kind in kinds)
