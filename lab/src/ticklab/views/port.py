# SPDX-License-Identifier: MIT
"""The output of `port check`: a line for each obligation of the contract that the port has, and for
each feature that its kernel declares."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from msgspec import Meta
from rich.console import Console
from rich.text import Text

from ticklab.description.features import Value
from ticklab.description.model import Status
from ticklab.measurement.next_service import NextService
from ticklab.measurement.portcheck import Feature, Obligation, PortCheck
from ticklab.views import figures
from ticklab.views.document import SCHEMA, BuildName, Part, Schema

_WORDS = {
    Status.PASS: ("proved", "green"),
    Status.FAIL: ("broken", "red"),
    Status.BLOCKED: ("blocked", "red"),
    Status.UNSUPPORTED: ("unsupported", "dim"),
}


def show(answer: PortCheck, following: NextService | None, out: Console) -> None:
    case = answer.case
    out.print(f"{case.variant.subject} {case.variant.optimise} on {case.variant.board.name}")
    for line in _lines(answer):
        out.print(line)
    out.print("the port does what it declares" if answer.kept else "the port does not do so")
    if answer.kept and following:
        count = following.scenarios
        scenarios = f"{count} more scenario{'s' if count > 1 else ''}"
        out.print(f"next: service {following.name}, with which the port can run {scenarios}")


def _lines(answer: PortCheck) -> Iterator[Text]:
    first: dict[str | None, str] = {}  # the obligation that gives a reason first
    for obligation in answer.obligations:
        word, style = _WORDS[obligation.status]
        earlier = first.setdefault(obligation.reason, obligation.name)
        yield _line(word, style, _obligation(obligation, earlier))
    for feature in answer.features:
        yield _line(*_feature(feature))


def _obligation(one: Obligation, earlier: str) -> str:
    """Describes the result of an obligation. If an `earlier` obligation failed for the same reason,
    refers to it, so that each reason is printed once."""
    if one.status is Status.UNSUPPORTED:
        return f"{one.name}: {one.reason}"
    if one.status is not Status.FAIL:
        return one.name
    return f"{one.name}: {one.reason if earlier == one.name else f'as {earlier}'}"


def _feature(one: Feature) -> tuple[str, str, str]:
    said = f"feature {one.name}: {figures.yes_no(one.declared)}"
    if one.found is None:
        needs = f"; the proof needs {', '.join(one.lacks)}" if one.lacks else ""
        return "not proven", "yellow", said + needs
    if one.otherwise:
        return "otherwise", "red", f"{said}; found: {figures.yes_no(one.found)}"
    return "as declared", "green", said


def _line(word: str, style: str, text: str) -> Text:
    return Text(f"  {word:<13}", style=style).append(text, style="default")


# --- JSON -----------------------------------------------------------------------------------------


class FeatureFields(Part, frozen=True):
    """A declared feature."""

    name: Annotated[str, Meta(description="the feature")]
    declared: Annotated[Value, Meta(description="its value in kernel.toml")]
    found: Annotated[
        Value | None, Meta(description="what the conformance shows; null if nothing shows it")
    ]
    lacks: Annotated[
        list[str], Meta(description="services that its proof needs and the kernel lacks")
    ]


class PortFields(BuildName, frozen=True):
    """The tested obligations of a port, and the features that its kernel declares."""

    schema: Schema
    kept: Annotated[bool, Meta(description="whether the port keeps everything that it declares")]
    obligations: Annotated[
        list[Obligation],
        Meta(description='`{"name", "status", "reason"}`: one for each obligation of the contract'),
    ]
    features: Annotated[list[FeatureFields], Meta(description="one for each declared feature")]
    next: Annotated[
        NextService | None,
        Meta(
            description='`{"name", "scenarios"}`: the service with which the port can run '
            "most more scenarios"
        ),
    ]


def document(answer: PortCheck, following: NextService | None) -> PortFields:
    variant = answer.case.variant
    return PortFields(
        schema=SCHEMA,
        kernel=variant.kernel.name,
        config=variant.config.name,
        optimise=variant.optimise,
        board=variant.board.name,
        kept=answer.kept,
        obligations=list(answer.obligations),
        features=[
            FeatureFields(one.name, one.declared, one.found, list(one.lacks))
            for one in answer.features
        ],
        next=following,
    )
