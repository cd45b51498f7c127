# SPDX-License-Identifier: MIT
"""Reads from an image's file what is needed to show events: the names of the declaration
(bulkhead_declare/events.py), the texts of log entries, and the identities of threads."""

from __future__ import annotations

import json
import struct
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import calls_table
from bulkhead_declare.elf import Elf, ElfError
from bulkhead_declare.events import NAMES_SECTION, TEXT_SECTION, VERSION

_IDENTITIES, _PAGE = "bulkhead_identities", "bulkhead_page"


class LogError(Exception):
    """Raised if an image or its memory cannot be read. The message is one line that says what is
    wrong and what to do."""


@dataclass(frozen=True)
class Place:
    """The position of a ring of events in the memory of the system."""

    address: int
    events: int


@dataclass(frozen=True)
class Image:
    processes: tuple[str, ...]
    threads: tuple[tuple[str, int], ...]  # name, index of the process
    handles: tuple[tuple[str, str], ...]  # kind and name of the object of handle 1, 2, …
    logs: tuple[tuple[int, Place], ...]  # index of the process, ring
    trace: Place | None
    data: tuple[int, int]  # the memory for data: origin, bytes
    page: int  # address of the page that processes may read: struct bulkhead_page
    texts: bytes  # contents of the section with the texts of log entries
    identities: tuple[int, ...]  # identities of threads, in the order of `threads`

    def text(self, place: int) -> str | None:
        """Returns the text at an offset in the section of texts; None if no text begins there."""
        is_first = place == 0 or self.texts[place - 1 : place] == b"\0"
        end = self.texts.find(b"\0", place)
        if place >= len(self.texts) or not is_first or end <= place:
            return None
        return self.texts[place:end].decode(errors="replace")

    def thread(self, number: int) -> str:
        """Returns the name of the thread with a number. The idle thread has the number after the
        last declared thread."""
        if number < len(self.threads):
            return self.threads[number][0]
        return "idle" if number == len(self.threads) else "none"

    def writer(self, identity: int, process: int) -> str:
        """Returns the name of the thread of `process` with this identity; "?" if there is none."""
        for own, (name, of) in zip(self.identities, self.threads, strict=False):
            if own == identity and of == process:
                return name
        return "?"

    def call(self, thread: int, handle: int, method: int) -> str:
        """Returns the name of a system call. Masks the handle and the method as the kernel does."""
        number = handle % (1 << len(self.handles).bit_length())
        own = "idle" if thread == len(self.threads) else "self"
        kind, name = (own, "") if number == 0 else ("", f"handle {number}")
        if 0 < number <= len(self.handles):
            kind, name = self.handles[number - 1]
        known = _methods().get(kind, ())
        method %= calls_table.METHODS
        what = known[method] if method < len(known) else f"method {method}"
        return " ".join(filter(None, (kind, name, what)))


def read(file: Path) -> Image:
    """Reads an image. Raises LogError."""
    try:
        elf = Elf(file)
        section = elf.section(NAMES_SECTION)
        if section is None:
            raise LogError(
                f"{file} has neither a log nor a trace, or is no image of Bulkhead; "
                "declare log_events or trace_events"
            )
        found = json.loads(elf.contents(section).rstrip(b"\0"))
        if found["version"] != VERSION:
            raise LogError(
                f"{file} is an image of another version of Bulkhead; read it with its own tools"
            )
        return _image(elf, found)
    except ElfError as error:
        raise LogError(str(error)) from None
    except OSError as error:
        raise LogError(f"cannot read {file}: {error.strerror}; name the image that ran") from None
    except (ValueError, KeyError, TypeError, IndexError, struct.error):
        raise LogError(f"the names in {file} are damaged; link it again") from None


def _image(elf: Elf, found: dict[str, Any]) -> Image:
    texts = elf.section(TEXT_SECTION)
    trace = found["trace"]
    return Image(
        processes=tuple(found["processes"]),
        threads=tuple((name, process) for name, process in found["threads"]),
        handles=tuple((kind, name) for kind, name in found["handles"]),
        logs=tuple(
            (each["process"], Place(each["address"], each["events"])) for each in found["logs"]
        ),
        trace=trace and Place(trace["address"], trace["events"]),
        data=(found["data"][0], found["data"][1]),
        page=_symbol(elf, _PAGE),
        texts=elf.contents(texts) if texts else b"",
        identities=_identities(elf, len(found["threads"])),
    )


def _symbol(elf: Elf, name: str) -> int:
    found = [each.value for each in elf.symbols if each.name == name]
    return found[0]


def _identities(elf: Elf, count: int) -> tuple[int, ...]:
    if not any(each.name == _IDENTITIES for each in elf.symbols):
        return ()  # removed by the linker, in a system without logs
    address = _symbol(elf, _IDENTITIES)
    for section in elf.sections:
        if section.is_allocated and section.address <= address < section.address + section.size:
            start = address - section.address
            return struct.unpack_from(f"<{count}I", elf.contents(section), start)
    raise KeyError(_IDENTITIES)


@cache
def _methods() -> dict[str, list[str]]:
    """Returns the names of the methods by kind of object, in the order of their numbers."""
    kinds = calls_table.read().objects
    return {each.name: [method.name for method in each.methods] for each in kinds}
