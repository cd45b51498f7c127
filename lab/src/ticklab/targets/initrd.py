# SPDX-License-Identifier: MIT
"""Writes the first file system of a booted Linux: a cpio archive in format `newc`
(Documentation/driver-api/early-userspace/buffer-format.rst of Linux).

The same files always give the same bytes, because times, owners and inode numbers are fixed.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

_DIRECTORY, _DEVICE, _FILE = 0o040755, 0o020600, 0o100755
_CONSOLE = (5, 1)  # major and minor number of the device
_END = "TRAILER!!!"


@dataclass(frozen=True)
class _Entry:
    name: str
    mode: int
    data: bytes = b""
    device: tuple[int, int] = (0, 0)


def of(init: bytes) -> bytes:
    """Returns the file system with the program `init`, which the kernel starts, and its console."""
    return _archive(
        (
            _Entry("dev", _DIRECTORY),
            _Entry("dev/console", _DEVICE, device=_CONSOLE),
            _Entry("init", _FILE, init),
            _Entry(_END, 0),
        )
    )


def _archive(entries: Iterable[_Entry]) -> bytes:
    return b"".join(_bytes(number, entry) for number, entry in enumerate(entries, 1))


def _bytes(number: int, entry: _Entry) -> bytes:
    name = entry.name.encode() + b"\0"
    owner, links, time, of_file, check = (0, 0), 1, 0, (0, 0), 0
    fields = (
        number, entry.mode, *owner, links, time, len(entry.data), *of_file, *entry.device,
        len(name), check,
    )  # fmt: skip
    header = b"070701" + b"".join(b"%08x" % field for field in fields)
    return _padded(header + name) + _padded(entry.data)


def _padded(data: bytes) -> bytes:
    return data + bytes(-len(data) % 4)
