# SPDX-License-Identifier: MIT
"""`ticklab explain`: divides the cost of a span among functions and causes, for one kernel or for
two side by side."""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from ticklab import options
from ticklab.errors import UsageError

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from rich.console import Console

    from ticklab.description.model import Record, Run
    from ticklab.explain.answer import Explanation
    from ticklab.explain.difference import Side
    from ticklab.explain.second_run import FirstRun, Sample
    from ticklab.explain.subjects import Subject

HELP = "divide the cost of a measured span, or of two, by kind of work and by function"

EPILOG = """\
RUN is a run; or one kernel of a run, as RUN:KERNEL[/CONFIG[/OPTIMISE]]; or one kernel of the latest
run, as KERNEL[/CONFIG[/OPTIMISE]], or as the folder of a kernel; or a folder that 'observe
--save' wrote. The image runs again, and its samples must be those that were measured.

examples:
  ticklab explain freertos --scenario synchronization
  ticklab explain freertos --scenario synchronization --sample worst
  ticklab explain freertos rt --scenario synchronization
  ticklab explain 20261120-14:rt 20261120-15:rt --scenario synchronization    two commits of rt
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EPILOG
    parser.add_argument("run", metavar="RUN", help="what to explain, see below")
    parser.add_argument(
        "other", metavar="RUN", nargs="?", help="what to compare with the first (default nothing)"
    )
    options.add_wanted(parser)
    options.add_kernel_folders(parser)
    parser.add_argument(
        "--sample",
        metavar="worst|typical|N",
        type=_sample,
        help="list the instructions of one sample as well; N counts from 1 (default none)",
    )
    options.add_json(parser, "the mean counts")
    parser.add_argument(
        "--flame",
        metavar="FILE.svg",
        type=Path,
        help="write a flame graph to a file; with two runs, the graph of the second, coloured "
        "by its differences from the first",
    )
    parser.add_argument(
        "--collapsed", metavar="FILE", type=Path, help="write collapsed stacks to a file"
    )
    options.add_store(parser)


def run(arguments: argparse.Namespace) -> int:
    if arguments.other:
        _compare(arguments)
    else:
        _explain(arguments)
    return 0


def _explain(arguments: argparse.Namespace) -> None:
    from ticklab.explain import subjects
    from ticklab.views import explanation, json, output

    with _subject(arguments.run, arguments) as subject:
        means, one = _answers(subject, arguments)
        out = output.console(arguments.json)
        _show(subject, means, one, arguments.sample is not None, out)
        if not subject.curve:
            rules = subjects.known_rules(subject.first.about.kernel, _folders(arguments))
            explanation.show_kinds(means, rules, out)
    if arguments.json:
        output.emit(json.dumps(explanation.document(means, one)), arguments.json)


def _answers(
    subject: Subject, arguments: argparse.Namespace
) -> tuple[Explanation, Explanation | None]:
    """Returns two explanations: of the mean, and of one sample. The sample is the one that the user
    named or, in a sweep, the worst position, because a mean over all positions says little. One
    second run of the image gives both."""
    from ticklab.explain import second_run

    pictures = second_run.Pictures(arguments.flame, arguments.collapsed)
    sample = arguments.sample
    if sample in (None, second_run.WORST) and subject.curve:
        sample = subject.curve.position
    samples: list[Sample] = [None] if sample is None else [sample, None]
    spans = [subject.span] * len(samples)
    found = second_run.explain(subject.first, spans, samples, pictures, alone=True)
    *one, means = (replace(found, spans=(span,)) for span in found.spans)
    return means, one[0] if one else None


def _show(
    subject: Subject, means: Explanation, one: Explanation | None, is_listed: bool, out: Console
) -> None:
    from rich.text import Text

    from ticklab.explain import disassembly
    from ticklab.views import curves, explanation

    out.print(Text(subject.title, style="bold"))
    if subject.curve:
        out.print(Text(curves.extent(subject.curve)))
        out.print(Text(curves.cause(subject.curve)))
    else:
        explanation.show(means, out)
    if one:
        explanation.show(one, out)
    if one and is_listed:
        explanation.show_listing(one, disassembly.read(subject.first.image), out)


def _compare(arguments: argparse.Namespace) -> None:
    from ticklab.explain import difference
    from ticklab.views import difference as view
    from ticklab.views import flame, json, output

    for name in ("sample", "collapsed"):
        if getattr(arguments, name) is not None:
            raise UsageError(
                f"--{name} takes one run, and two are named", "explain each run by itself"
            )
    first, second = (_side(word, arguments) for word in (arguments.run, arguments.other))
    found = difference.compare(first, second)
    view.show(first, second, found, output.console(arguments.json))
    if arguments.flame:
        titles = second.title, first.title
        output.emit(flame.differential(second.span, first.span, titles), str(arguments.flame))
    if arguments.json:
        output.emit(json.dumps(view.document(first, second, found)), arguments.json)


def _side(word: str, arguments: argparse.Namespace) -> Side:
    from ticklab.explain import disassembly, second_run, sizes, subjects
    from ticklab.explain.difference import Side

    with _subject(word, arguments) as subject:
        rules = subjects.rules(subject, _folders(arguments))
        found = second_run.explain(subject.first, [subject.span])
        image = subject.first.image
        size, assembly = sizes.code_bytes(image), disassembly.read(image)
        return Side(subject.title, found, found.spans[0], rules, size, assembly)


def _subject(word: str, arguments: argparse.Namespace) -> AbstractContextManager[Subject]:
    from ticklab.explain import subjects
    from ticklab.measurement import repeating
    from ticklab.storage.store import Store

    store, folders = Store(arguments.store), _folders(arguments)

    def repeat(run: Run, record: Record) -> AbstractContextManager[FirstRun]:
        return repeating.repeated(store, run, record, folders.get(record.kernel))

    return subjects.found(word, options.wanted(arguments), store, repeat)


def _folders(arguments: argparse.Namespace) -> dict[str, str]:
    """Returns the folders of kernels that are not in this checkout, by the kernel's name."""
    from ticklab.explain import subjects

    return subjects.folders((*arguments.kernel, arguments.run, arguments.other or ""))


def _sample(word: str) -> Sample:
    if word in ("worst", "typical"):
        return word
    try:
        return options.positive(word)
    except argparse.ArgumentTypeError:
        why = f"'{word}' is neither 'worst' nor 'typical' nor a number of at least 1"
        raise argparse.ArgumentTypeError(why) from None
