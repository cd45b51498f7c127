# SPDX-License-Identifier: MIT
"""Common Trace Format 1.8 (https://diamon.org/ctf): a folder with a file `metadata` and one stream.

No library is used, because the metadata below defines the content of the stream completely. The
stream has one packet. Every event of the observer has the same fields. An event of the guest's
kernel has the kernel's own name and fields, and the instruction count (with the target's clock, its
counts).
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping
from pathlib import Path

from ticklab.explain.timeline import Event, EventKind, Timeline

_MAGIC = 0xC1FC1FC1
_PACKET_HEADER = struct.Struct("<II")  # magic, stream
_PACKET_CONTEXT = struct.Struct("<QQQQ")  # first and last timestamp, content and packet in bits
_EVENT_HEADER = struct.Struct("<HQ")  # event, timestamp
_FIGURES = struct.Struct("<Qdd")
_INSTRUCTIONS, _NUMBER = struct.Struct("<Q"), struct.Struct("<q")
_NUMBERS = {kind: i for i, kind in enumerate(EventKind) if kind is not EventKind.KERNEL}

_METADATA = """\
/* CTF 1.8 */
typealias integer {{ size = 16; align = 8; signed = false; }} := uint16_t;
typealias integer {{ size = 32; align = 8; signed = false; }} := uint32_t;
typealias integer {{ size = 64; align = 8; signed = false; }} := uint64_t;
typealias integer {{ size = 64; align = 8; signed = true; }} := int64_t;
typealias floating_point {{ exp_dig = 11; mant_dig = 53; align = 8; byte_order = le; }} := double;
trace {{
    major = 1; minor = 8; byte_order = le;
    packet.header := struct {{ uint32_t magic; uint32_t stream_id; }};
}};
env {{ tracer_name = "ticklab"; tracer_major = 1; timeline = "{clock}"; }};
clock {{ name = guest; freq = {frequency}; description = "{clock}"; }};
typealias integer {{
    size = 64; align = 8; signed = false; map = clock.guest.value;
}} := timestamp_t;
stream {{
    id = 0;
    packet.context := struct {{
        timestamp_t timestamp_begin; timestamp_t timestamp_end;
        uint64_t content_size; uint64_t packet_size;
    }};
    event.header := struct {{ uint16_t id; timestamp_t timestamp; }};
}};
"""
_EVENT = """\
event {{
    name = {kind}; id = {number}; stream_id = 0;
    fields := struct {{
        string name; string task; uint64_t instructions; double cycles_low; double cycles_high;
    }};
}};
"""
_EVENT_OF_KERNEL = """\
event {{
    name = "{name}"; id = {number}; stream_id = 0;
    fields := struct {{ {fields} uint64_t {exact}; }};
}};
"""
_Numbers = Mapping[str, int]  # event numbers of the kernel's events, by name


def write(timeline: Timeline, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "metadata").write_text(metadata(timeline), encoding="utf-8")
    (folder / "stream").write_bytes(stream(timeline))


def metadata(timeline: Timeline) -> str:
    head = _METADATA.format(clock=timeline.clock.value, frequency=timeline.frequency_hz)
    own = (_EVENT.format(kind=kind.value, number=number) for kind, number in _NUMBERS.items())
    return head + "".join((*own, *_of_kernel(timeline)))


def _of_kernel(timeline: Timeline) -> Iterator[str]:
    """Yields the descriptions of the kernel's events, each derived from one event of the kind."""
    numbers = _numbers(timeline)
    events = {event.name: event for event in timeline.events if event.kind is EventKind.KERNEL}
    for name, number in numbers.items():
        fields = " ".join(
            f"{'string' if isinstance(value, str) else 'int64_t'} _{field};"
            for field, value in events[name].fields.items()
        )  # readers remove the underscore, which keeps a name from being a word of the language
        exact = timeline.exact_figure
        yield _EVENT_OF_KERNEL.format(name=name, number=number, fields=fields, exact=exact)


def _numbers(timeline: Timeline) -> _Numbers:
    """Assigns numbers to the kernel's events, after those of the observer's events."""
    names = {event.name for event in timeline.events if event.kind is EventKind.KERNEL}
    return {name: len(EventKind) + index for index, name in enumerate(sorted(names))}


def stream(timeline: Timeline) -> bytes:
    body = b"".join(_events(timeline))
    stamps = [timeline.timestamp(event) for event in timeline.events] or [0]
    bits = 8 * (_PACKET_HEADER.size + _PACKET_CONTEXT.size + len(body))
    context = _PACKET_CONTEXT.pack(stamps[0], stamps[-1], bits, bits)
    return _PACKET_HEADER.pack(_MAGIC, 0) + context + body


def _events(timeline: Timeline) -> Iterator[bytes]:
    numbers = _numbers(timeline)
    for event in timeline.events:
        stamp = timeline.timestamp(event)
        if event.kind is EventKind.KERNEL:
            yield _EVENT_HEADER.pack(numbers[event.name], stamp)
            yield b"".join(map(_value, event.fields.values()))
            yield _INSTRUCTIONS.pack(event.instructions)
        else:
            yield _EVENT_HEADER.pack(_NUMBERS[event.kind], stamp)
            yield _text(event.name) + _text(event.task) + _figures(event)


def _value(value: int | str) -> bytes:
    return _text(value) if isinstance(value, str) else _NUMBER.pack(value)


def _text(text: str) -> bytes:
    return text.encode() + b"\0"


def _figures(event: Event) -> bytes:
    return _FIGURES.pack(event.instructions, event.cycles_low, event.cycles_high)
