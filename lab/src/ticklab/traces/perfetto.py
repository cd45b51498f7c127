# SPDX-License-Identifier: MIT
"""Perfetto's protobuf trace, for https://ui.perfetto.dev and trace_processor.

Messages are encoded here: there are too few kinds to justify a protobuf library and its generated
code. The field numbers are those of Perfetto's trace_packet.proto, track_event.proto,
track_descriptor.proto and debug_annotation.proto, which keep them stable.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping
from pathlib import Path

from ticklab.explain.timeline import Phase, Timeline, TrackEvent, changes

_SEQUENCE = 1
_ROOT = 1  # the parent of all other tracks
_TYPES = {Phase.BEGIN: 1, Phase.END: 2, Phase.INSTANT: 3}  # TrackEvent.Type

# Field numbers.
_PACKET = 1
_TIMESTAMP, _SEQUENCE_ID, _TRACK_EVENT, _TRACK_DESCRIPTOR = 8, 10, 11, 60
_UUID, _TRACK_NAME, _PARENT = 1, 2, 5
_ANNOTATION, _TYPE, _TRACK_UUID, _NAME = 4, 9, 11, 23
_UINT_VALUE, _DOUBLE_VALUE, _ANNOTATION_NAME = 3, 5, 10


def write(timeline: Timeline, file: Path) -> None:
    file.write_bytes(encode(timeline))


def encode(timeline: Timeline) -> bytes:
    return b"".join(_message(_PACKET, packet) for packet in _packets(timeline))


def _packets(timeline: Timeline) -> Iterator[bytes]:
    yield _track(_ROOT, f"guest ({timeline.clock.value})", None)
    tracks: dict[str, int] = {}
    for change in changes(timeline):
        if change.track not in tracks:
            tracks[change.track] = _ROOT + 1 + len(tracks)
            yield _track(tracks[change.track], change.track, _ROOT)
        yield _slice(timeline, change, tracks[change.track])


def _track(uuid: int, name: str, parent: int | None) -> bytes:
    descriptor = _number(_UUID, uuid) + _text(_TRACK_NAME, name)
    if parent is not None:
        descriptor += _number(_PARENT, parent)
    return _number(_SEQUENCE_ID, _SEQUENCE) + _message(_TRACK_DESCRIPTOR, descriptor)


def _slice(timeline: Timeline, change: TrackEvent, uuid: int) -> bytes:
    event = _number(_TYPE, _TYPES[change.step]) + _number(_TRACK_UUID, uuid)
    if change.step is not Phase.END:
        event += _text(_NAME, change.name) + b"".join(_annotations(timeline.figures(change.event)))
    stamp = _number(_TIMESTAMP, timeline.nanoseconds(change.event))
    return stamp + _number(_SEQUENCE_ID, _SEQUENCE) + _message(_TRACK_EVENT, event)


def _annotations(figures: Mapping[str, int | float]) -> Iterator[bytes]:
    for name, figure in figures.items():
        if isinstance(figure, int):
            value = _number(_UINT_VALUE, figure)
        else:
            value = _double(_DOUBLE_VALUE, figure)
        yield _message(_ANNOTATION, _text(_ANNOTATION_NAME, name) + value)


# --- Protobuf's wire format -----------------------------------------------------------------------


def _number(field: int, value: int) -> bytes:
    return _varint(field << 3) + _varint(value)


def _double(field: int, value: float) -> bytes:
    return _varint(field << 3 | 1) + struct.pack("<d", value)


def _message(field: int, content: bytes) -> bytes:
    return _varint(field << 3 | 2) + _varint(len(content)) + content


def _text(field: int, text: str) -> bytes:
    return _message(field, text.encode())


def _varint(value: int) -> bytes:
    encoded = bytearray()
    while value > 0x7F:
        encoded.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*encoded, value])
