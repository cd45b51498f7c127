# SPDX-License-Identifier: MIT
"""Writes the changes of a run since a baseline for build servers and code hosts: Markdown for a
comment on a pull request, JUnit XML for a list of tests, SARIF 2.1.0 for notes beside the source.

Sources: the JUnit schema of the Jenkins xUnit plug-in; OASIS, Static Analysis Results Interchange
Format (SARIF) 2.1.0, https://docs.oasis-open.org/sarif/sarif/v2.1.0/.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any
from urllib.parse import quote
from xml.etree import ElementTree

from ticklab import __version__, plain_text
from ticklab.comparison.gate import Change, ChangeKind, SizeChange
from ticklab.description.model import Record
from ticklab.storage.baseline import Baseline
from ticklab.views import gate as lines

_SARIF = "https://docs.oasis-open.org/sarif/sarif/v2.1.0"

FAILING = (ChangeKind.WORSE, ChangeKind.GONE, ChangeKind.OVER)

_LEVELS = {kind: "error" if kind in FAILING else "note" for kind in ChangeKind}
_RULES = {
    ChangeKind.WORSE: "A figure is worse than in the baseline.",
    ChangeKind.GONE: "A figure of the baseline was not measured.",
    ChangeKind.BETTER: "A figure is better than in the baseline.",
    ChangeKind.OVER: "A figure is above its budget.",
}


def markdown(kept: Baseline, changes: Sequence[Change], sizes: Sequence[SizeChange] = ()) -> str:
    """Returns a table of the changes in Markdown, failures first, each with the function that
    changed most, and a list of the footprints that changed."""
    first = sorted(changes, key=lambda change: change.kind not in FAILING)
    rows = [_row(change) for change in first]
    head = ["| | figure | change | function |", "|---|---|---|---|"] if rows else []
    title = f"**Ticklab: {lines.judged(kept)} figures, {lines.summary(changes)}**"
    footprints = [f"- {_escaped(line)}" for line in lines.size_lines(sizes)]
    gap = [""] if footprints else []
    return "\n".join([title, "", *head, *rows, *gap, *footprints, ""])


def _row(change: Change) -> str:
    function = f"`{change.cause.function}`" if change.cause else ""
    cells = (f"**{change.kind.value}**", lines.label(change.then), lines.both_figures(change))
    return f"| {' | '.join(_escaped(cell) for cell in cells)} | {_escaped(function)} |"


def _escaped(cell: str) -> str:
    return plain_text.line(cell).replace("|", "\\|")


def junit(kept: Baseline, changes: Sequence[Change]) -> str:
    """Returns JUnit XML with a test case for each judged figure and for each figure above its
    budget. A missing figure is an error; any other change for the worse is a failure."""
    changed = {id(change.then): change for change in changes if not change.excess}
    records = [entry.record for entry in kept.entries if entry.plan is not None]
    judged = [(record, changed.get(id(record))) for record in records]
    judged += [(change.then, change) for change in changes if change.excess]
    counts = {
        name: str(sum(_tag(change) == name.removesuffix("s") for change in changes))
        for name in ("failures", "errors")
    }
    about = {"name": "ticklab gate", "tests": str(len(judged)), **counts}
    suite = ElementTree.Element("testsuite", about)
    for record, change in judged:
        _add_case(suite, record, change)
    ElementTree.indent(suite)
    return ElementTree.tostring(suite, "unicode", xml_declaration=True) + "\n"


def _add_case(suite: ElementTree.Element, record: Record, change: Change | None) -> None:
    of_build, of_span = lines.build(record), lines.measured(record)
    case = ElementTree.SubElement(suite, "testcase", classname=of_build, name=of_span)
    if change and (tag := _tag(change)):
        message = plain_text.line(lines.explanation(change))
        ElementTree.SubElement(case, tag, type=change.kind.value, message=message)


def _tag(change: Change) -> str | None:
    if change.kind not in FAILING:
        return None
    return "error" if change.kind is ChangeKind.GONE else "failure"


def sarif(changes: Sequence[Change]) -> str:
    """Returns SARIF with a result for each change, located at the function that changed most and
    its source file."""
    rules = [
        {"id": kind.value, "shortDescription": {"text": text}} for kind, text in _RULES.items()
    ]
    driver = {"name": "ticklab", "version": __version__, "rules": rules}
    document = {
        "$schema": f"{_SARIF}/errata01/os/schemas/sarif-schema-2.1.0.json",
        "version": "2.1.0",
        "runs": [{"tool": {"driver": driver}, "results": [_result(each) for each in changes]}],
    }
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def _result(change: Change) -> Mapping[str, Any]:
    return {
        "ruleId": change.kind.value,
        "level": _LEVELS[change.kind],
        "message": {"text": f"{lines.label(change.then)}: {lines.explanation(change)}"},
        "locations": [_location(change)],
        "partialFingerprints": {"figure/v1": lines.label(change.then)},
    }


def _location(change: Change) -> Mapping[str, Any]:
    """Returns the SARIF location of a change: the function that caused it, or the scenario if no
    function is known."""
    if change.cause is None:
        return {"logicalLocations": [{"fullyQualifiedName": lines.measured(change.then)}]}
    named = {"name": change.cause.function, "kind": "function"}
    if change.cause.file is None:
        return {"logicalLocations": [named]}
    place = {"artifactLocation": {"uri": quote(change.cause.file)}}
    return {"logicalLocations": [named], "physicalLocation": place}


Writer = Callable[[Baseline, Sequence[Change], Sequence[SizeChange]], str]
FORMATS: Mapping[str, Writer] = {
    "markdown": markdown,
    "junit": lambda kept, changes, _: junit(kept, changes),
    "sarif": lambda _, changes, sizes: sarif(changes),
}
