# SPDX-License-Identifier: MIT
"""Resolves the marks of `observe`, NAME=SYMBOL[+OFFSET] or NAME=0xADDRESS, to addresses.

A missing or ambiguous symbol is an error that lists candidates: a count between two wrong addresses
would look as good as any other.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence
from dataclasses import dataclass

from ticklab.building.elf import Elf
from ticklab.errors import TicklabError, UsageError
from ticklab.targets.protocol import Place

_SYNTAX = re.compile(r"(?P<name>[\w.-]+)=(?P<place>[^\s+=]+)(\+(?P<offset>0x[0-9a-fA-F]+|[0-9]+))?")


@dataclass(frozen=True)
class Request:
    """One --mark or --call, as typed."""

    name: str
    place: str  # symbol or hexadecimal address
    offset: int


def parse(word: str) -> Request:
    found = _SYNTAX.fullmatch(word)
    if not found:
        raise UsageError(
            f"'{word}' is not a mark", "write NAME=SYMBOL, NAME=SYMBOL+OFFSET or NAME=0xADDRESS"
        )
    return Request(found["name"], found["place"], int(found["offset"] or "0", 0))


def parse_call(word: str) -> Request:
    """Parses SYMBOL or NAME=SYMBOL: a function, called NAME."""
    return parse(word if "=" in word else f"{word}={word}")


def resolve(requests: Sequence[Request], image: Elf) -> tuple[Place, ...]:
    names = [request.name for request in requests]
    for name in names:
        if names.count(name) > 1:
            raise UsageError(f"two marks are called '{name}'", "give each mark another name")
    return tuple(_place(request, image) for request in requests)


def _place(request: Request, image: Elf) -> Place:
    address = _address(request.place, image) + request.offset
    if address % 2:
        raise UsageError(
            f"mark '{request.name}' is at the odd address {address:#x}",
            "name an even address, at which an instruction begins",
        )
    if address >= 1 << 32:
        raise UsageError(f"mark '{request.name}' is at {address:#x}", "name an address of 32 bits")
    return Place(request.name, address)


def _address(place: str, image: Elf) -> int:
    if re.fullmatch("0x[0-9a-fA-F]+", place):
        return int(place, 16)
    found = sorted({symbol.address for symbol in image.symbols if symbol.name == place})
    if not found:
        raise _missing(place, image)
    if len(found) > 1:
        addresses = ", ".join(f"{address:#x}" for address in found)
        raise TicklabError(
            f"symbol '{place}' is ambiguous in {image.path}: {addresses}",
            f"choose one with NAME={found[0]:#x}",
        )
    return found[0]


def _missing(place: str, image: Elf) -> TicklabError:
    if not image.symbols:
        return TicklabError(f"{image.path} has no symbols", "give addresses: NAME=0xADDRESS")
    names = {symbol.name for symbol in image.symbols}
    near = difflib.get_close_matches(place, names, n=3, cutoff=0.5)
    hint = f"did you mean {' or '.join(near)}?" if near else "see the symbols that 'nm' lists"
    return TicklabError(f"no symbol '{place}' in {image.path}", hint)
