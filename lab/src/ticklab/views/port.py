# SPDX-License-Identifier: MIT
"""The output of `port check`: a line for each obligation and feature."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rich.console import Console
from rich.text import Text

from ticklab.description.model import Status
from ticklab.measurement.portcheck import Feature, Obligation, PortCheck
from ticklab.views import figures

_WORDS = {
    Status.PASS: ("proved", "green"),
    Status.FAIL: ("broken", "red"),
    Status.BLOCKED: ("blocked", "red"),
    Status.UNSUPPORTED: ("unsupported", "dim"),
}


def show(answer: PortCheck, out: Console) -> None:
    case = answer.case
    out.print(f"{case.variant.subject} {case.variant.optimise} on {case.variant.board.name}")
    for line in _lines(answer):
        out.print(line)
    out.print("the port keeps what it declares" if answer.kept else "the port does not keep it")


def plain(answer: PortCheck) -> dict[str, Any]:
    case = answer.case
    return {
        "kernel": case.variant.kernel.name,
        "config": case.variant.config.name,
        "optimise": case.variant.optimise,
        "board": case.variant.board.name,
        "kept": answer.kept,
        "obligations": [
            {"name": one.name, "status": one.status, "reason": one.reason}
            for one in answer.obligations
        ],
        "features": [
            {"name": one.name, "declared": one.declared, "found": one.found}
            for one in answer.features
        ],
    }


def _lines(answer: PortCheck) -> Iterator[Text]:
    for obligation in answer.obligations:
        word, style = _WORDS[obligation.status]
        yield _line(word, style, _obligation(obligation))
    for feature in answer.features:
        yield _line(*_feature(feature))


def _obligation(one: Obligation) -> str:
    return f"{one.name}: {one.reason}" if one.status is Status.FAIL else one.name


def _feature(one: Feature) -> tuple[str, str, str]:
    said = f"feature {one.name}: {figures.yes_no(one.declared)}"
    if one.found is None:
        return "not proven", "yellow", said
    if one.otherwise:
        return "otherwise", "red", f"{said}; found: {figures.yes_no(one.found)}"
    return "as declared", "green", said


def _line(word: str, style: str, text: str) -> Text:
    return Text(f"  {word:<13}", style=style).append(text, style="default")
