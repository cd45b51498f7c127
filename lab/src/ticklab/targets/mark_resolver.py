# SPDX-License-Identifier: MIT
"""Resolves the marks of `observe` and of recipes, NAME=PLACE[,PLACE…], to what an observer watches.

| place | passed |
|---|---|
| `SYMBOL[+OFFSET]`, `0xADDRESS` | before the instruction there; `*` in SYMBOL is any text |
| `return:FUNCTION` | where a call of the function returns, or its exception ends |
| `write:VARIABLE[+OFFSET]`, `write:0xADDRESS` | before an instruction that writes the byte there |
| `mark:NAME` | where the source has a mark of `marks/ticklab.h` or of the crate `ticklab-mark` |
| `FILE.c:LINE` | before the first instruction of the line, in each function that has it |

A mark `entry.KIND` or `exit.KIND` needs no place: it is passed where an exception of this kind
begins or ends. A missing or ambiguous symbol is an error that lists candidates: a count between two
wrong addresses would look as good as any other.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

from ticklab import names
from ticklab.building import debug_lines
from ticklab.building.elf import Elf, Symbol
from ticklab.description.model import Watch
from ticklab.description.span import ENTRIES, ENTRY, EXIT
from ticklab.errors import TicklabError, UsageError
from ticklab.targets.protocol import AddedMark

_CALL = ".call"  # suffix of the name of the mark at a function for which there is a mark `return:`
_SYNTAX = re.compile(r"(?P<name>[\w.:-]+)=(?P<places>[^\s=]+)")
_PLACE = re.compile(
    r"((?P<how>return|write|mark):)?(?P<at>([^\s+:]|::)+)(\+(?P<offset>0x[0-9a-fA-F]+|[0-9]+))?"
)
_LINE = re.compile(r"(?P<file>[^:]+\.\w+):(?P<line>[0-9]+)")
_ADDRESS = re.compile("0x[0-9a-fA-F]+")


@dataclass(frozen=True)
class Marks:
    """The addresses of a plan's marks. `calls` and `entries` have the meaning that they have in the
    observation plan (protocol.py)."""

    places: tuple[AddedMark, ...]
    entries: tuple[str, ...] = ()
    calls: Mapping[str, str] | None = None

    def functions(self, name: str, image: Elf) -> set[str | None]:
        """Returns the functions that contain a mark. There may be several, because a mark may have
        several addresses; None stands for an unknown function."""
        starts = {end: begin for begin, end in (self.calls or {}).items()}
        name = starts.get(name, name)
        of_name = [place for place in self.places if place.name == name]
        return {None if each.is_write else _function(image, each.address) for each in of_name}


def parse(word: str) -> tuple[str, str]:
    """Splits NAME=PLACE[,PLACE…] into name and places. The name of a mark at exceptions needs no
    place."""
    if _is_of_exceptions(word):
        return word, ""
    found = _SYNTAX.fullmatch(word)
    if not found or not all(map(_is_place, found["places"].split(","))):
        raise _unreadable(word)
    return found["name"], found["places"]


def parse_call(word: str) -> tuple[str, str]:
    """Splits NAME=FUNCTION. If there is no name, the function's name is used, with … for each sign
    of a pattern, because names of marks are themselves patterns in recipes."""
    if "=" in word:
        return parse(word)
    if not all(map(_is_place, word.split(","))):
        raise _unreadable(word)
    return re.sub(r"[^\w.:,+-]", "…", word), word


def gather(pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Returns the places of marks by name. Raises an error if a name is given twice."""
    found: dict[str, str] = {}
    for name, place in pairs:
        if name in found:
            raise UsageError(f"two marks are called '{name}'", "give each mark another name")
        found[name] = place
    return found


def resolve(watch: Watch, image: Elf, follows_calls: bool = True) -> Marks:
    """Finds the addresses of the marks and calls that a recipe names in an image. `follows_calls`
    says whether the target records calls."""
    _require_names(watch)
    calls = {name: name + Watch.RETURN for name in watch.calls}
    places = [place for name, at in watch.calls.items() for place in _places(name, at, image)]
    entries = []
    for name, words in watch.marks.items():
        if _is_of_exceptions(name):
            kind = _kind(name)
            entries.append(kind)
            calls |= {ENTRY + kind: name} if name.startswith(EXIT) else {}
            continue
        for word in words.split(","):
            if word.startswith("return:"):
                calls[name + _CALL] = name
                places += _places(name + _CALL, word.removeprefix("return:"), image)
            else:
                places += _places(name, word, image)
    if calls and not follows_calls:
        raise UsageError(
            "this board does not record calls and tasks", "name two marks instead of a call"
        )
    return Marks(tuple(places), tuple(dict.fromkeys(entries)), calls if follows_calls else None)


def instruction(word: str, image: Elf) -> int:
    """Returns the address of an instruction. Raises an error if `word` names several."""
    name, place = parse(f"place={word}")
    marks = resolve(Watch({name: place}), image)
    if len(marks.places) != 1 or marks.calls or marks.places[0].is_write:
        raise UsageError(
            f"'{word}' is not one instruction",
            "name one address, as SYMBOL[+OFFSET], 0xADDRESS or FILE.c:LINE",
        )
    return marks.places[0].address


def _require_names(watch: Watch) -> None:
    for name in (name + Watch.RETURN for name in watch.calls):
        if name in watch.marks or name in watch.calls:
            raise UsageError(f"'{name}' is the name of a call's return", "give another name")


def _is_of_exceptions(name: str) -> bool:
    return "=" not in name and name.startswith((ENTRY, EXIT))


def _kind(name: str) -> str:
    """Returns the kind of exception of a mark `entry.KIND` or `exit.KIND`."""
    return names.choose("kind of exceptions", name.partition(".")[2], {k: k for k in ENTRIES})


def _is_place(word: str) -> bool:
    return bool(_LINE.fullmatch(word) or _PLACE.fullmatch(word))


def _places(name: str, word: str, image: Elf) -> Iterator[AddedMark]:
    if line := _LINE.fullmatch(word):
        lines = debug_lines.addresses(image, line["file"], int(line["line"]))
        first = {_function(image, address): address for address in reversed(lines)}
        yield from (AddedMark(name, address) for address in first.values())
        return
    found = _PLACE.fullmatch(word)
    if not found:
        raise _unreadable(f"{name}={word}")
    is_write = found["how"] == "write"
    for address in _addresses(found["at"], image, found["how"]):
        at = AddedMark(name, address + int(found["offset"] or "0", 0), is_write)
        _require_address(at)
        yield at


def _function(image: Elf, address: int) -> str:
    return (image.symbol_at(address) or "").partition("+")[0]


def _require_address(place: AddedMark) -> None:
    if place.address % 2 and not place.is_write:
        raise UsageError(
            f"mark '{place.name}' is at the odd address {place.address:#x}",
            "name an even address, at which an instruction begins",
        )
    if place.address >= 1 << 32:
        raise UsageError(
            f"mark '{place.name}' is at {place.address:#x}", "name an address of 32 bits"
        )


def _addresses(at: str, image: Elf, how: str | None) -> Sequence[int]:
    if _ADDRESS.fullmatch(at):
        return [int(at, 16)]
    known = {"write": image.variables, "mark": image.named}.get(how or "", image.symbols)
    found = sorted({symbol.address for symbol in known if fnmatchcase(symbol.name, at)})
    if not found:
        raise _missing(at, image, known, "mark" if how == "mark" else "symbol")
    if len(found) > 1 and "*" not in at and how != "mark":
        addresses = ", ".join(f"{address:#x}" for address in found)
        raise TicklabError(
            f"symbol '{at}' is ambiguous in {image.path}: {addresses}",
            f"choose one with NAME={found[0]:#x}",
        )
    return found


def _missing(at: str, image: Elf, known: Sequence[Symbol], kind: str) -> TicklabError:
    if not image.symbols:
        return TicklabError(f"{image.path} has no symbols", "give addresses: NAME=0xADDRESS")
    near = difflib.get_close_matches(at, {symbol.name for symbol in known}, n=3, cutoff=0.5)
    hint = f"did you mean {' or '.join(near)}?" if near else "see the symbols that 'nm' lists"
    return TicklabError(f"there is no {kind} '{at}' in {image.path}", hint)


def _unreadable(word: str) -> UsageError:
    return UsageError(
        f"'{word}' is not a mark",
        "write NAME=SYMBOL[+OFFSET], NAME=0xADDRESS, NAME=return:FUNCTION, NAME=write:VARIABLE, "
        "NAME=mark:MARK, NAME=FILE.c:LINE, entry.KIND or exit.KIND",
    )
