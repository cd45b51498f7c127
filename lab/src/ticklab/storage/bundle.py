# SPDX-License-Identifier: MIT
"""A run and its images in one file, from which `ticklab verify` measures every figure again.

The file is a ZIP archive. `run.json` is a baseline (baseline.py) without functions: the records,
their sample plans and the provenance. `images.json` names the image of each measurement by its
SHA-256, and `images/` has a file for each image, whose name is its SHA-256. `counters/` has the raw
counters of each measurement on a board, which nobody can repeat exactly. Every part has a checksum,
and two bundles of one run are the same bytes.
"""

from __future__ import annotations

import lzma
import re
import struct
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from ticklab import digest
from ticklab.errors import TicklabError, UsageError
from ticklab.storage import baseline, sealed
from ticklab.storage.baseline import Baseline
from ticklab.storage.sealed import SchemaError, UnreadableError

SCHEMA = 1
_RUN, _IMAGES, _FOLDER, _COUNTERS = "run.json", "images.json", "images", "counters"
_EPOCH = (1980, 1, 1, 0, 0, 0)  # the first date that ZIP knows
_AGAIN = "get the file again, or make it again with 'ticklab bundle'"
_PART = re.compile(
    rf"{re.escape(_RUN)}|{re.escape(_IMAGES)}|(?:{_FOLDER}|{_COUNTERS})/[0-9a-f]{{64}}"
)

# Exceptions that a damaged archive raises. RuntimeError: an encrypted part, or an unknown
# compression.
_UNREADABLE = (
    zipfile.BadZipFile,
    RuntimeError,
    ValueError,
    EOFError,
    struct.error,
    zlib.error,
    lzma.LZMAError,
)


@dataclass(frozen=True)
class Bundle:
    """A run with its images. The keys of `images` and `counters` are the keys of measurements.
    `images` is empty if the bundle has no images; `counters` has compressed files of raw
    counters."""

    kept: Baseline
    images: Mapping[str, Path]
    counters: Mapping[str, Path] = field(default_factory=dict)


def require_place(file: Path) -> None:
    """Raises an error if `file` is a folder or a device, which the new file would replace."""
    if file.exists() and not file.is_file():
        raise TicklabError(f"cannot write {file}: it is no regular file", "name another file")
    if not file.parent.is_dir():
        raise TicklabError(
            f"cannot write {file}: there is no folder {file.parent}", "make the folder"
        )


def write(bundle: Bundle, file: Path, scratch: Path) -> None:
    """Writes a bundle to `file`. `scratch` is an empty folder, which is used for the parts of the
    archive."""
    require_place(file)
    sums = {key: digest.hash_file(image) for key, image in bundle.images.items()}
    baseline.write(bundle.kept, scratch / _RUN)
    counted = {key: digest.hash_file(file) for key, file in bundle.counters.items()}
    beside_images = {"counters": counted} if counted else {}
    sealed.write_alone(scratch / _IMAGES, {"schema": SCHEMA, "images": sums, **beside_images})
    parts = {name: scratch / name for name in (_RUN, _IMAGES)}
    parts |= {f"{_FOLDER}/{sums[key]}": image for key, image in sorted(bundle.images.items())}
    parts |= {f"{_COUNTERS}/{counted[key]}": each for key, each in sorted(bundle.counters.items())}
    beside = file.with_name(f".{file.name}.new")
    try:
        with zipfile.ZipFile(beside, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, part in sorted(parts.items()):
                archive.writestr(zipfile.ZipInfo(name, _EPOCH), part.read_bytes(), None, 9)
        beside.replace(file)
    except OSError as error:
        raise TicklabError(f"cannot write {file}: {error.strerror}", "name another file") from error
    finally:
        beside.unlink(missing_ok=True)


def read(file: Path, scratch: Path) -> Bundle:
    """Reads and checks the bundle in `file`. `scratch` is an empty folder, which is used for the
    parts of the archive."""
    _extract(file, scratch)
    with _named(file, scratch):
        kept = baseline.read(scratch / _RUN)
        content = sealed.read_alone(scratch / _IMAGES, (SCHEMA,), _AGAIN)
    images = {key: scratch / part for key, part in _parts(content, _FOLDER, file).items()}
    counters = {key: scratch / part for key, part in _parts(content, _COUNTERS, file).items()}
    for part in {*images.values(), *counters.values()}:
        if not part.is_file() or digest.hash_file(part) != part.name:
            kind = part.parent.name.removesuffix("s")
            raise sealed.damaged(file, f"{kind} {part.name[:12]} is not as it was written", _AGAIN)
    if images:
        _require_every_image(kept, images, file)
    return Bundle(kept, images, counters)


@contextmanager
def _named(file: Path, scratch: Path) -> Iterator[None]:
    """Adds the name of the bundle to an error about one of its parts, because the folder of the
    extracted parts is removed afterwards."""
    try:
        yield
    except UnreadableError as error:
        hint = "use the Ticklab that wrote it" if isinstance(error, SchemaError) else _AGAIN
        raise type(error)(error.message.replace(f"{scratch}/", f"{file}: "), hint) from error


def _parts(content: Mapping[str, object], kind: str, file: Path) -> dict[str, str]:
    """Returns the names in the archive of the images, or of the files of counters, by key of the
    measurement."""
    sums = content.get(kind, {} if kind == _COUNTERS else None)
    if isinstance(sums, dict):
        parts = {key: f"{kind}/{sum_}" for key, sum_ in sums.items()}
        if all(map(_PART.fullmatch, parts.values())):
            return parts
    raise sealed.damaged(file, f"{_IMAGES} does not list {kind} by their SHA-256", _AGAIN)


def _require_every_image(kept: Baseline, images: Mapping[str, Path], file: Path) -> None:
    for entry in kept.entries:
        key = str(entry.record.measurement)
        if entry.plan and key not in images:
            raise sealed.damaged(file, f"it has no image of measurement {key[:12]}", _AGAIN)


def _extract(file: Path, scratch: Path) -> None:
    """Extracts the parts of a bundle. Ignores other content of the archive."""
    if not file.is_file():
        what = f"{file} is no file" if file.exists() else f"no file {file}"
        raise UsageError(what, "'ticklab bundle' writes one")
    try:
        with zipfile.ZipFile(file) as archive:
            names = [name for name in archive.namelist() if _PART.fullmatch(name)]
            archive.extractall(scratch, names)
    except _UNREADABLE as error:
        raise sealed.damaged(file, str(error) or "it is no ZIP archive", _AGAIN) from error
    except OSError as error:
        raise TicklabError(
            f"cannot unpack {file}: {error.strerror or error}",
            "check its permissions, and the room for temporary files",
        ) from error
