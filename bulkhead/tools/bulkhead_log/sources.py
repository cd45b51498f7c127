# SPDX-License-Identifier: MIT
"""The command-line arguments that name an image and its memory, for both `python3 -m bulkhead_log`
and `ticklab bulkhead log`."""

from __future__ import annotations

import argparse
from pathlib import Path

from bulkhead_log import image, reading
from bulkhead_log.image import LogError
from bulkhead_log.reading import Reading

__all__ = ("LogError", "configure", "read", "read_dump", "read_image")
read, read_image = reading.read, image.read


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "image", metavar="IMAGE.elf", type=Path, help="the image that wrote the logs"
    )


def add_dump(parser: argparse.ArgumentParser | argparse._MutuallyExclusiveGroup) -> None:
    parser.add_argument(
        "--memory",
        metavar="FILE",
        type=Path,
        help="a file with the memory `data` of the declaration, which a debugger saved",
    )


def read_dump(elf: Path, memory: Path) -> Reading:
    """Returns the logs and the trace in a saved memory. Raises LogError."""
    found = image.read(elf)
    try:
        content = memory.read_bytes()
    except OSError as error:
        raise LogError(f"cannot read {memory}: {error.strerror}; name a saved memory") from None
    return reading.read(found, reading.dump(found.data[0], content))
