# SPDX-License-Identifier: MIT
"""Decodes a ring of events, whose format include/bulkhead/log.h defines.

A slot of the ring holds an event if its check value fits its words and its number. The number
follows from the position of the slot and from the number of events written so far, which the header
has. So arbitrary bytes decode to events or to nothing, and no byte is used as an address or a
length.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass

HEADER_BYTES = EVENT_BYTES = 32
_WORDS = 1 << 32
_EVENT = struct.Struct("<8I")


@dataclass(frozen=True)
class RawEvent:
    ticks: int
    thread: int
    what: int
    values: tuple[int, ...]


@dataclass(frozen=True)
class Ring:
    events: tuple[RawEvent, ...]  # in the order in which they were written
    lost: int  # events after the oldest of `events` that were not completely written
    tick_counts: int


def size(events: int) -> int:
    return HEADER_BYTES + events * EVENT_BYTES


def check(number: int, words: tuple[int, ...]) -> int:
    """Returns the check value of an event, as bulkhead_entry_check does."""
    found = 0x7EA5E001 ^ number
    for word in words:
        found = (found ^ word) * 0x01000193 % _WORDS
    return found


def decode(memory: bytes, events: int) -> Ring:
    """Decodes a ring with room for `events`, a power of two. `memory` has size(events) bytes.

    The number of written events is never initialised, and it wraps. So it does not say how many
    events were overwritten. Only invalid slots after the oldest valid event count as lost."""
    written, tick_counts = struct.unpack_from("<2I", memory)
    found = tuple(_events(memory, events, written))
    oldest = found[0][0] if found else 0
    return Ring(tuple(event for _, event in found), oldest - len(found), tick_counts)


def _events(memory: bytes, events: int, written: int) -> Iterator[tuple[int, RawEvent]]:
    """Yields each valid event with its age. The latest event has age 1."""
    for age in range(events, 0, -1):
        number = (written - age) % _WORDS
        at = HEADER_BYTES + number % events * EVENT_BYTES
        stored, *words = _EVENT.unpack_from(memory, at)
        if stored == check(number, tuple(words)):
            yield age, RawEvent(words[0], words[1], words[2], tuple(words[3:]))
