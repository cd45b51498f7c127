# SPDX-License-Identifier: MIT
"""Finds the span that `explain` and `trace` explain, from a word of the command line.

The word names a run or one kernel of a run (selection.py), or a folder that `observe --save` wrote.
It must select one span of one image; otherwise the error lists the choices.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from ticklab import names
from ticklab.comparison import doubts, selection
from ticklab.description import catalogue
from ticklab.description.folders import KERNELS
from ticklab.description.model import CategoryRule, Curve, Kernel, Record, Run, Span, Status
from ticklab.errors import TicklabError, UsageError
from ticklab.explain import kept_run
from ticklab.explain.second_run import FirstRun
from ticklab.storage.store import Store

_COMMIT_DIGITS = 12

Repeat = Callable[[Run, Record], AbstractContextManager[FirstRun]]  # runs a record's case again


@dataclass(frozen=True)
class Subject:
    title: str
    first: FirstRun
    span: Span
    curve: Curve | None = None  # the curve, if the span is a sweep


def rules(subject: Subject, folders: Mapping[str, str]) -> Sequence[CategoryRule]:
    """Returns the rules for kinds of work of a subject's kernel. `folders` has the folders of
    kernels that are not in this checkout, by name. Returns no rules for an image of unknown
    origin."""
    kernel = subject.first.about.kernel
    return catalogue.find_kernel(folders.get(kernel, kernel)).categories if kernel else ()


def known_rules(kernel: str | None, folders: Mapping[str, str]) -> Sequence[CategoryRule]:
    """Returns the rules for kinds of work of a kernel, by its name. Returns none if the kernel is
    neither in this checkout nor in `folders`."""
    found = known_kernel(kernel, folders)
    return found.categories if found else ()


def known_kernel(kernel: str | None, folders: Mapping[str, str]) -> Kernel | None:
    """Returns a kernel of this checkout or of `folders`."""
    if not kernel or (kernel not in folders and kernel not in KERNELS.every()):
        return None
    return catalogue.find_kernel(folders.get(kernel, kernel))


# The properties in which records of one kernel may differ. Each is also the name of the option that
# selects its value.
AXES = ("board", "suite", "scenario", "span")


@dataclass(frozen=True)
class Wanted:
    """The properties of the record that the user selects. None, or an empty set of parameters,
    accepts any record."""

    scenario: str | None = None
    span: str | None = None
    board: str | None = None
    suite: str | None = None
    layout: int = 0
    params: Mapping[str, str] = field(default_factory=dict)


@contextmanager
def found(word: str, wanted: Wanted, store: Store, repeat: Repeat) -> Iterator[Subject]:
    """Yields the span that a word of the command line selects. Its run can be explained until the
    `with` block ends."""
    folder = Path(word)
    if kept_run.is_one(folder):
        yield _subject(folder.name, kept_run.read(folder), wanted.span)
        return
    if is_kernel(word):
        word = catalogue.find_kernel(word).name
    elif folder.is_dir() and word not in KERNELS.every():
        raise UsageError(
            f"folder {folder} is no recorded run and no kernel",
            "name a folder that 'observe --save' wrote, or one with a kernel.toml",
        )
    selected = selection.select(word, store)
    record = _only(selected, wanted)
    with repeat(selected.run, record) as first:
        origin = f"{_origin(selected.run, record)}{_followed(first)}{_doubted(record)}"
        title = f"{_title(record)} ({origin})"
        yield replace(_subject(title, first, record.span), curve=record.curve)


def is_kernel(word: str) -> bool:
    """Returns whether a word names the folder of a kernel."""
    return (Path(word) / KERNELS.file).is_file()


def folders(words: Iterable[str]) -> dict[str, str]:
    """Returns those words that are folders of kernels, by the name of the kernel."""
    return {catalogue.find_kernel(word).name: word for word in filter(is_kernel, words)}


def _subject(title: str, first: FirstRun, span: str | None) -> Subject:
    spans = {one.name: one for one in first.about.spans}
    if span is None and len(spans) > 1:
        raise UsageError(f"{title} has several spans", f"name one by --span: {', '.join(spans)}")
    return Subject(title, first, names.choose("span", span or next(iter(spans)), spans))


def _only(selected: selection.Selection, wanted: Wanted) -> Record:
    """Returns the only selected record that can be explained. Raises an error if there are several
    or none."""
    found: Iterable[Record] = [one for one in selected.records if one.layout == wanted.layout]
    for axis in AXES:
        name = getattr(wanted, axis)
        if name is not None:
            known = {getattr(record, axis) for record in found}
            names.choose(axis, name, {each: each for each in known})
            found = [record for record in found if getattr(record, axis) == name]
    found = [one for one in found if wanted.params.items() <= one.params.items()]
    passed = [record for record in found if record.status is Status.PASS and record.measurement]
    if not passed:
        raise TicklabError(
            f"{selected.title} has no figures to explain", "see 'ticklab show RUN' for the reasons"
        )
    if len(passed) > 1:
        raise _ambiguous(selected, passed)
    return passed[0]


def _ambiguous(selected: selection.Selection, records: Sequence[Record]) -> UsageError:
    """Returns an error that asks the user to choose a value of the first property in which the
    records differ."""
    kernels = sorted({f"{r.kernel}/{r.config}/{r.optimise}" for r in records})
    choices = {axis: list(dict.fromkeys(getattr(r, axis) for r in records)) for axis in AXES}
    several = next((axis for axis in AXES if len(choices[axis]) > 1), None)
    if len(kernels) > 1:
        hint = f"name one as RUN:KERNEL/CONFIG/OPTIMISE: {', '.join(kernels)}"
    elif several:
        hint = f"name one by --{several}: {', '.join(choices[several])}"
    else:
        hint = f"name one by --param: {', '.join(map(parameters, records))}"
    return UsageError(f"{selected.title} holds {len(records)} spans", hint)


def _origin(run: Run, record: Record) -> str:
    """Returns the id of the run and the kernel's commit, which distinguish two sides of a
    comparison that have the same name."""
    known = run.provenance.get("kernels", {}).get(record.kernel, {})
    commit, dash, dirty = known.get("commit", "").partition("-")
    shown = f", commit {commit[:_COMMIT_DIGITS]}{dash}{dirty}" if commit else ""
    return f"run {run.id}{shown}"


def _followed(first: FirstRun) -> str:
    board = first.about.board
    return f"; followed on {board}, so that its cycles are modelled" if board else ""


def _doubted(record: Record) -> str:
    return f"; not ranked: {doubts.words(record)}" if record.doubts else ""


def _title(record: Record) -> str:
    build = f"{record.kernel}/{record.config}/{record.optimise}"
    measured = [record.scenario, *([parameters(record)] if record.params else []), record.span]
    return f"{build} on {record.board}, {', '.join(measured)}"


def parameters(record: Record) -> str:
    return " ".join(f"{name}={value}" for name, value in sorted(record.params.items()))
