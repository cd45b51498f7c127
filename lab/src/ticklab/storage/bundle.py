# SPDX-License-Identifier: MIT
"""A run and its images in one file, from which `ticklab verify` measures every figure again.

The file is a ZIP archive. `run.json` is a baseline (baseline.py) without functions: the records,
their sample plans and the provenance. `images.json` names the image of each measurement by its
SHA-256, and `images/` has a file for each image, whose name is its SHA-256. Every part has a
checksum, and two bundles of one run are the same bytes.
"""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from ticklab import digest
from ticklab.errors import TicklabError, UsageError
from ticklab.storage import baseline, sealed
from ticklab.storage.baseline import Baseline

SCHEMA = 1
_RUN, _IMAGES, _FOLDER = "run.json", "images.json", "images"
_EPOCH = (1980, 1, 1, 0, 0, 0)  # the first date that ZIP knows
_AGAIN = "get the file again, or make it again with 'ticklab bundle'"


@dataclass(frozen=True)
class Bundle:
    """`images` is by key of the measurement; it is empty if the file was written without images."""

    kept: Baseline
    images: Mapping[str, Path]


def write(bundle: Bundle, file: Path, scratch: Path) -> None:
    """Writes the file; `scratch` is an empty folder for its parts."""
    sums = {key: digest.hash_file(image) for key, image in bundle.images.items()}
    baseline.write(bundle.kept, scratch / _RUN)
    sealed.write_alone(scratch / _IMAGES, {"schema": SCHEMA, "images": sums})
    parts = {name: scratch / name for name in (_RUN, _IMAGES)}
    parts |= {f"{_FOLDER}/{sums[key]}": image for key, image in sorted(bundle.images.items())}
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
    """Reads and checks a bundle; `scratch` is an empty folder for its parts."""
    _extract(file, scratch)
    kept = baseline.read(scratch / _RUN)
    content = sealed.read_alone(scratch / _IMAGES, SCHEMA, _AGAIN)
    images = {key: scratch / _FOLDER / sum_ for key, sum_ in content["images"].items()}
    for image in set(images.values()):
        if not image.is_file() or digest.hash_file(image) != image.name:
            raise sealed.damaged(file, f"image {image.name[:12]} is not as it was written", _AGAIN)
    return Bundle(kept, images)


def _extract(file: Path, scratch: Path) -> None:
    try:
        with zipfile.ZipFile(file) as archive:
            archive.extractall(scratch)
    except FileNotFoundError:
        raise UsageError(f"no file {file}", "'ticklab bundle' writes one") from None
    except (zipfile.BadZipFile, OSError, ValueError, EOFError, zlib.error) as error:
        raise sealed.damaged(file, str(error) or "it is no ZIP archive", _AGAIN) from error
