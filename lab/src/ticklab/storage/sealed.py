# SPDX-License-Identifier: MIT
"""Reads and writes files with checksums and schema numbers, so that a reader notices any change of
a file since it was written.

A folder has a file SHA256SUMS with the hash of each of its other files, in the format that
`sha256sum --check` reads. A JSON file outside such a folder has its hash in a member. Every read
compares the hash, so that no changed figure is shown; errors name the file and the remedy. The
schema is compared first, so that a file of another version of Ticklab is not reported as damaged.
"""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ticklab import digest
from ticklab.errors import TicklabError

SUMS = "SHA256SUMS"
_SUM = "sha256"  # member of a JSON file outside a sealed folder


class UnreadableError(TicklabError):
    """Raised if a stored file cannot be read. The file is not changed."""


class DamagedError(UnreadableError):
    """Raised if the content of a stored file is not what was written."""


class SchemaError(UnreadableError):
    """Raised if another version of Ticklab wrote the file."""


def damaged(file: Path | str, why: str, hint: str = "") -> DamagedError:
    return DamagedError(
        f"{file} is damaged: {why}", hint or f"delete the folder {Path(file).parent}"
    )


# --- Folders --------------------------------------------------------------------------------------


def seal(folder: Path) -> None:
    """Writes the checksums of all files in `folder`. Call this after all files are written."""
    files = sorted(file.name for file in folder.iterdir())
    lines = [f"{digest.hash_file(folder / name)}  {name}\n" for name in files]
    (folder / SUMS).write_text("".join(lines))


def check(file: Path) -> None:
    """Raises UnreadableError unless `file` is as it was when its folder was sealed."""
    _compare(file, digest.hash_bytes(_bytes(file)))


def check_all(folder: Path) -> None:
    """Raises UnreadableError unless each file of the folder is as it was when the folder was
    sealed."""
    for name in listed(folder):
        check(folder / name)


def read_json(file: Path, *schemas: int) -> dict[str, Any]:
    """Returns the content of a JSON file in a sealed folder. `schemas` are the schema numbers that
    the caller can read, the newest first. The caller must handle KeyError and TypeError, because
    members may be missing."""
    data = _bytes(file)
    content = _parsed(data)
    _check_schema(file, content, schemas)
    _compare(file, digest.hash_bytes(data))
    if content is None:
        raise damaged(file, "it is no JSON object")
    return content


def _compare(file: Path, found: str) -> None:
    sums = _sums(file.parent)
    if file.name not in sums:
        raise damaged(file, f"{SUMS} does not list it")
    if sums[file.name] != found:
        raise damaged(file, f"its checksum is not the one in {SUMS}")


def listed(folder: Path) -> set[str]:
    """Returns the names of the sealed files."""
    return set(_sums(folder))


def _sums(folder: Path) -> dict[str, str]:
    """Returns the checksum of each file by name. Raises an error if a listed file does not
    exist."""
    file = folder / SUMS
    text = _bytes(file).decode(errors="replace")
    pairs = [line.split("  ", 1) for line in text.splitlines()]
    if not pairs or any(len(pair) != 2 for pair in pairs):
        raise damaged(file, "it is no list of checksums")
    sums = {name: sum_ for sum_, name in pairs}
    for name in sums:
        if not (folder / name).is_file():
            raise damaged(folder / name, "it is missing")
    return sums


# --- Files that stand alone -----------------------------------------------------------------------


def text_alone(content: Mapping[str, Any], indent: int | None = 1) -> str:
    """Returns the text of a JSON file that contains its own checksum. Without an indent the text is
    one line, which takes a tenth of the processor time."""
    whole = {**content, _SUM: digest.hash_json(content)}
    return json.dumps(whole, indent=indent, sort_keys=True) + "\n"


def write_alone(file: Path, content: Mapping[str, Any]) -> None:
    """Writes a JSON file that contains its own checksum. An existing file is replaced in one
    step."""
    beside = file.with_name(f".{file.name}.{os.getpid()}-{secrets.token_hex(4)}")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        beside.write_text(text_alone(content))
        synchronise(beside)
        beside.replace(file)
        synchronise(file.parent)
    finally:
        beside.unlink(missing_ok=True)


def read_alone(file: Path, schemas: Sequence[int], hint: str) -> dict[str, Any]:
    """Returns the content of a JSON file that contains its own checksum, without the checksum.
    `schemas` are the schema numbers that the caller can read, the newest first. `hint` is the
    remedy in the error for a damaged file."""
    return parse_alone(file, _bytes(file), schemas, hint)


def parse_alone(file: Path | str, data: bytes, schemas: Sequence[int], hint: str) -> dict[str, Any]:
    """Returns the content of `data`, which was read from `file`, as `read_alone` does."""
    content = _parsed(data)
    _check_schema(file, content, schemas)
    if content is None:
        raise damaged(file, "it is no JSON object", hint)
    if content.pop(_SUM, None) != digest.hash_json(content):
        raise damaged(file, "its checksum is not the one in it", hint)
    return content


# --- Folders and single files ---------------------------------------------------------------------


def synchronise(*paths: Path) -> None:
    """Forces the content of files and folders to the disk, so that after a crash no renamed file
    lacks its content."""
    for path in paths:
        descriptor = os.open(path, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _bytes(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except FileNotFoundError:
        raise damaged(file, "it is missing") from None
    except (IsADirectoryError, NotADirectoryError):
        raise damaged(file, "it is no file") from None
    except OSError as error:
        raise UnreadableError(
            f"cannot read {file}: {error.strerror}", "check its permissions and the disk"
        ) from error


def _parsed(data: bytes) -> dict[str, Any] | None:
    """Returns the parsed JSON object, or None if the data is no JSON object."""
    try:
        content = json.loads(data)
    except (ValueError, RecursionError):
        return None
    return content if isinstance(content, dict) else None


def _check_schema(
    file: Path | str, content: Mapping[str, Any] | None, schemas: Sequence[int]
) -> None:
    found, newest = content.get("schema") if content else None, schemas[0]
    if isinstance(found, int) and found not in schemas:
        age, else_ = ("a newer", "name") if found > newest else ("an older", "measure again in")
        raise SchemaError(
            f"{file} has schema {found}, of {age} Ticklab, and this one reads schema {newest}",
            f"use the Ticklab that wrote it, or {else_} another store with --store DIR",
        )
