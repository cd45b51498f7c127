# SPDX-License-Identifier: MIT
"""Reads the entries of an image's debug information (DWARF 2 to 5, 32 bits) that describe
functions.

An image has thousands of entries, and each measurement needs the names, files and address ranges of
some hundred functions. This reader skips every attribute that is not needed, because a general
parser takes longer than the emulator takes for a short measurement. Damaged debug information
raises one of the exceptions of damage.py. The constants are from DWARF 5, chapter 7.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

# The contents of the sections `.debug_*`. The keys are the names without `.debug_`; a missing
# section is empty.
Sections = Mapping[str, bytes]
NAMES = ("info", "abbrev", "line", "str", "line_str", "str_offsets", "addr", "ranges", "rnglists")
Range = tuple[int, int]  # the first address, and the address after the last

_SUBPROGRAM, _INLINED = 0x2E, 0x1D
_SIBLING, _NAME, _STATEMENTS, _LOW, _HIGH, _FILE = 0x01, 0x03, 0x10, 0x11, 0x12, 0x3A
_ORIGINS = (0x31, 0x47)  # abstract origin, specification
_RANGES, _STRINGS, _ADDRESSES, _LISTS = 0x55, 0x72, 0x73, 0x74
_WANTED = frozenset((_SIBLING, _NAME, _STATEMENTS, _LOW, _HIGH, _FILE, *_ORIGINS, _RANGES,
                     _STRINGS, _ADDRESSES, _LISTS))  # fmt: skip

_ADDR, _STRING, _REF_ADDR, _CONSTANT, _RNGLISTX = 0x01, 0x08, 0x10, 0x21, 0x23
_BY_SIZE = {  # forms, by their size in bytes
    0: (0x19, _CONSTANT),
    1: (0x0B, 0x0C, 0x11, 0x25, 0x29),
    2: (0x05, 0x12, 0x26, 0x2A),
    3: (0x27, 0x2B),
    4: (_ADDR, 0x06, 0x0E, _REF_ADDR, 0x13, 0x17, 0x1C, 0x1D, 0x1F, 0x28, 0x2C),
    8: (0x07, 0x14, 0x20, 0x24),
    16: (0x1E,),
}
_SIZES = {form: size for size, forms in _BY_SIZE.items() for form in forms}
_NUMBERS = frozenset((0x0D, 0x0F, 0x15, 0x1A, 0x1B, 0x22, 0x23))  # attributes with LEB128 numbers
# The forms of values that are blocks of bytes, each with the size of its length field; 0: the
# length is a LEB128 number.
_BLOCKS = {0x03: 2, 0x04: 4, 0x0A: 1, 0x09: 0, 0x18: 0}
# The forms of values that refer to an entry of the same compilation unit.
_REFERENCES = frozenset((0x11, 0x12, 0x13, 0x14, 0x15))
_ADDRX = frozenset((0x1B, 0x29, 0x2A, 0x2B, 0x2C))
_STRX = frozenset((0x1A, 0x25, 0x26, 0x27, 0x28))
_POOLS = {0x0E: "str", 0x1F: "line_str"}
_LAST = 0xFFFFFFFF
_MOST_ORIGINS = 8  # most steps from a function to its declaration

Value = tuple[int, int]  # the form, and the number or the offset of the text
# A step that reads one attribute of an entry: attribute (0: not needed), form, size in bytes (-1:
# variable), constant value.
_Step = tuple[int, int, int, int]


@dataclass(frozen=True)
class _Kind:
    """A kind of entry, which DWARF calls an abbreviation. It lists the attributes of such
    entries."""

    tag: int
    has_children: bool
    steps: tuple[_Step, ...]


@dataclass(frozen=True)
class Entry:
    unit: Unit
    kind: _Kind
    values: Mapping[int, Value]
    end: int  # offset of the next entry: the first child if this entry has children

    @property
    def has_code(self) -> bool:
        return _LOW in self.values or _RANGES in self.values

    def ranges(self) -> list[Range]:
        if _RANGES in self.values:
            return list(self.unit.listed(self.values[_RANGES]))
        low, high = self.unit.address(self.values[_LOW]), self.values.get(_HIGH)
        if high is None:
            return []
        is_address = high[0] == _ADDR or high[0] in _ADDRX
        return [(low, self.unit.address(high) if is_address else low + high[1])]

    def named(self) -> tuple[str | None, str | None]:
        """Returns the name of a function and the number of the file that declares it. If the entry
        lacks them, reads them from the declaration to which the entry refers."""
        entry, name, file = self, None, None
        for _ in range(_MOST_ORIGINS):
            name, file = name or entry._name(), file or entry._file()
            origin = next((entry.values[each] for each in _ORIGINS if each in entry.values), None)
            if origin is None or (name and file):
                return name, file
            entry = entry.unit.referred(origin)
        raise ValueError("a function refers to itself")

    def _name(self) -> str | None:
        value = self.values.get(_NAME)
        return None if value is None else self.unit.text(value, self.unit.sections["info"])

    def _file(self) -> str | None:
        value = self.values.get(_FILE)
        return self.unit.files[value[1]] if value and self.unit.files else None


@dataclass(frozen=True, eq=False)
class Unit:
    others: Sequence[Unit] = field(repr=False)  # all units of the image, by offset
    sections: Sections = field(repr=False)
    offset: int
    first: int  # offset of the first entry
    end: int
    version: int
    kinds: Mapping[int, _Kind] = field(repr=False)  # by abbreviation code

    @cached_property
    def top(self) -> Entry:
        return self.entry(self.first)

    def entry(self, offset: int) -> Entry:
        info = self.sections["info"]
        code, place = _number(info, offset)
        kind = self.kinds[code]
        values, place = _values(info, place, kind.steps)
        return Entry(self, kind, values, place)

    def functions(self) -> Iterator[tuple[bool, Entry]]:
        """Yields (is inlined, entry) for each function that has code, followed by the functions
        that are inlined in it."""
        info, place, depth = self.sections["info"], self.top.end, int(self.top.kind.has_children)
        while depth and place < self.end:
            if not info[place]:
                place, depth = place + 1, depth - 1
                continue
            entry, is_inner = self.entry(place), depth > 1
            is_function = entry.kind.tag == (_INLINED if is_inner else _SUBPROGRAM)
            if is_function and entry.has_code:
                yield is_inner, entry
            place = entry.end
            if entry.kind.has_children and (is_inner or (is_function and entry.has_code)):
                depth += 1
            elif entry.kind.has_children:
                place = self._after(entry)

    def _after(self, entry: Entry) -> int:
        """Returns the offset after the children of `entry`. None of them is needed, because `entry`
        has no code."""
        info, place, depth = self.sections["info"], entry.end, 1
        if _SIBLING in entry.values:
            return max(entry.end, self.offset + entry.values[_SIBLING][1])
        while depth:
            if info[place]:
                child = self.entry(place)
                place, depth = child.end, depth + child.kind.has_children
            else:
                place, depth = place + 1, depth - 1
        return place

    def referred(self, value: Value) -> Entry:
        """Returns the entry to which the value of an attribute refers."""
        form, offset = value
        if form in _REFERENCES:
            return self.entry(self.offset + offset)
        if form != _REF_ADDR:
            raise ValueError(f"reference of form {form}")
        index = bisect_right(self.others, offset, key=lambda unit: unit.offset) - 1
        return self.others[index].entry(offset)

    def text(self, value: Value, own: bytes) -> str:
        """Returns the text of an attribute's value. `own` is the section that contains the
        attribute itself."""
        form, place = value
        if form in _STRX:
            form, place = 0x0E, self._indexed("str_offsets", _STRINGS, 8, place)
        pool = own if form == _STRING else self.sections[_POOLS[form]]
        return pool[place : pool.index(0, place)].decode(errors="replace")

    def address(self, value: Value) -> int:
        form, number = value
        return self._indexed("addr", _ADDRESSES, 8, number) if form in _ADDRX else number

    def _indexed(self, section: str, base: int, usual: int, index: int) -> int:
        """Returns word number `index` of a table in `section`. The unit's attribute `base` has the
        offset of the table; without this attribute, the table begins at `usual`, after the
        section's header."""
        _, begin = self.top.values.get(base, (0, usual))
        return _word(self.sections[section], begin + 4 * index)

    def listed(self, value: Value) -> Iterator[Range]:
        """Yields the address ranges of a range list. Its entries are relative to the unit's base
        address."""
        form, offset = value
        if form == _RNGLISTX:
            _, begin = self.top.values.get(_LISTS, (0, 12))
            offset = begin + self._indexed("rnglists", _LISTS, 12, offset)
        low = self.top.values.get(_LOW)
        base = self.address(low) if low else 0
        return self._new_list(offset, base) if self.version >= 5 else self._old_list(offset, base)

    def _old_list(self, place: int, base: int) -> Iterator[Range]:
        data = self.sections["ranges"]
        while any(pair := (_word(data, place), _word(data, place + 4))):
            if pair[0] == _LAST:
                base = pair[1]
            else:
                yield base + pair[0], base + pair[1]
            place += 8

    def _new_list(self, place: int, base: int) -> Iterator[Range]:
        """Reads a range list of DWARF 5. Each kind of entry has one or two operands: an address,
        the index of an address, or a length."""
        data = self.sections["rnglists"]
        while kind := data[place]:
            place += 1
            found = []
            for operand in _OPERANDS[kind]:
                number, after = _number(data, place)
                if operand == "a":
                    number, after = _word(data, place), place + 4
                found.append(self.address((0x1B, number)) if operand == "x" else number)
                place = after
            if len(found) == 1:
                (base,) = found
            else:
                begin = base + found[0] if kind == 4 else found[0]
                yield begin, begin + found[1] if kind in (3, 7) else base * (kind == 4) + found[1]

    @cached_property
    def files(self) -> list[str]:
        """Returns the names of the unit's source files, without folders, by their numbers."""
        value, line = self.top.values.get(_STATEMENTS), self.sections["line"]
        if value is None:
            return []
        is_new = int.from_bytes(line[value[1] + 4 : value[1] + 6], "little") >= 5
        found = self._new_files(line, value[1]) if is_new else _old_files(line, value[1])
        return [name.rpartition("/")[2] for name in found]

    def _new_files(self, line: bytes, offset: int) -> list[str]:
        """Reads the tables of folders and files of a line program of version 5. Returns the names
        of files, which are numbered from 0."""
        place, names = _after_opcodes(line, offset + 17), list[str]()
        for _ in range(2):
            formats, place = _formats(line, place)
            count, place = _number(line, place)
            names.clear()
            for _ in range(count):
                values, place = _values(line, place, formats)
                names.append(self.text(values[1], line))
        return names


_OPERANDS = {1: "x", 2: "xx", 3: "xn", 4: "nn", 5: "a", 6: "aa", 7: "an"}


def read(sections: Sections) -> list[Unit]:
    """Returns all units of an image. Units with the same abbreviations share one table of kinds."""
    info, units, place = sections["info"], list[Unit](), 0
    kinds: dict[int, dict[int, _Kind]] = {}
    while place < len(info):
        end = place + 4 + _word(info, place)
        version = int.from_bytes(info[place + 4 : place + 6], "little")
        if end > len(info):
            raise ValueError("a unit is longer than the debug information")
        first = place + (_HEADERS.get(info[place + 6], 12) if version >= 5 else 11)
        at = _word(info, place + (8 if version >= 5 else 6))
        if at not in kinds:
            kinds[at] = dict(_kinds(sections["abbrev"], at))
        units.append(Unit(units, sections, place, first, end, version, kinds[at]))
        place = end
    return units


# Sizes in bytes of the headers of DWARF 5 units, by the unit's type: type, skeleton, split, split
# type. Units of other types have 12.
_HEADERS = {2: 24, 4: 20, 5: 20, 6: 24}


def _kinds(data: bytes, place: int) -> Iterator[tuple[int, _Kind]]:
    while True:
        code, place = _number(data, place)
        if not code:
            return
        tag, place = _number(data, place)
        has_children, place, steps = bool(data[place]), place + 1, list[_Step]()
        while True:
            attribute, place = _number(data, place)
            form, place = _number(data, place)
            if not form:
                break
            constant = 0
            if form == _CONSTANT:
                constant, place = _number(data, place)
            _add(steps, attribute if attribute in _WANTED else 0, form, constant)
        yield code, _Kind(tag, has_children, tuple(steps))


def _add(steps: list[_Step], attribute: int, form: int, constant: int) -> None:
    """Adds a step that reads one attribute. Merges this step with the previous one if neither
    attribute is needed and both have a fixed size, so that one step skips both."""
    size = _SIZES.get(form, -1)
    if size >= 0 and not attribute and steps and not steps[-1][0] and steps[-1][2] >= 0:
        size += steps.pop()[2]
    steps.append((attribute, form, size, constant))


def _formats(data: bytes, place: int) -> tuple[list[_Step], int]:
    """Returns the steps that read one entry of a file table, and the offset after them."""
    count, place, steps = data[place], place + 1, list[_Step]()
    for _ in range(count):
        content, place = _number(data, place)
        form, place = _number(data, place)
        _add(steps, content, form, 0)
    return steps, place


def _values(data: bytes, place: int, steps: Sequence[_Step]) -> tuple[dict[int, Value], int]:
    """Reads one entry, attribute by attribute, as `steps` prescribes. Returns the attributes that
    are needed, and the offset after the entry."""
    values: dict[int, Value] = {}
    for attribute, form, size, constant in steps:
        number = constant
        if size >= 0:
            if attribute and size:
                number = int.from_bytes(data[place : place + size], "little")
            place += size
        elif form in _NUMBERS:
            number, place = _number(data, place)
        elif form == _STRING:
            number, place = place, data.index(0, place) + 1
        else:
            place = _after_block(data, place, _BLOCKS[form])
        if attribute:
            values[attribute] = form, number
    return values, place


def _after_block(data: bytes, place: int, size: int) -> int:
    if size:
        return place + size + int.from_bytes(data[place : place + size], "little")
    length, place = _number(data, place)
    return place + length


def _old_files(data: bytes, offset: int) -> list[str]:
    """Reads the file table of a line program before version 5: the names of folders, then for each
    file a name and three numbers. Files are numbered from 1."""
    place, names = _after_opcodes(data, offset + (15 if data[offset + 4] >= 4 else 14)), [""]
    while data[place]:
        place = data.index(0, place) + 1
    place += 1
    while data[place]:
        end = data.index(0, place)
        names.append(data[place:end].decode(errors="replace"))
        place = end + 1
        for _ in range(3):
            _, place = _number(data, place)
    return names


def _after_opcodes(data: bytes, place: int) -> int:
    """Returns the offset after the list of opcode lengths, whose length is at offset `place`."""
    return place + data[place]


def _word(data: bytes, place: int) -> int:
    if not 0 <= place <= len(data) - 4:
        raise ValueError("a place outside of the debug information")
    return int.from_bytes(data[place : place + 4], "little")


def _number(data: bytes, place: int) -> tuple[int, int]:
    """Returns an unsigned number of variable length (LEB128), and the offset after it."""
    byte = data[place]
    if byte < 0x80:
        return byte, place + 1
    number, shift = byte & 0x7F, 7
    while True:
        place += 1
        byte = data[place]
        number |= (byte & 0x7F) << shift
        if byte < 0x80:
            return number, place + 1
        shift += 7
