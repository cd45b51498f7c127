# SPDX-License-Identifier: MIT
"""`ticklab compare`: states whether B is faster than A and by how much, or why the two may not be
compared."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ticklab import options
from ticklab.errors import TicklabError, UsageError

if TYPE_CHECKING:
    from ticklab.comparison.compare import Difference
    from ticklab.comparison.selection import Selection
    from ticklab.storage.store import Store
    from ticklab.views.changes import ComparedSelection

HELP = "compare runs or kernels, or a run with published figures"
NEEDS = ("python",)
EXAMPLES = """\
A and B are each
  RUN                              a whole run: its id, the beginning of an id, or latest
  RUN:KERNEL[/CONFIG[/OPTIMISE]]   one kernel of a run
  KERNEL[/CONFIG[/OPTIMISE]]       one kernel of the latest run
B may be published:NAME: prints figures of data/published.toml beside those of a run, without
ranking them. Several B are printed as changes in percent; KERNEL/CONFIG may then have *, which
matches any text.

Two records are ranked only if compiler, flags, clock, board, timing profile and declared features
are the same, and neither record is doubted (docs/explanation/method.md). --anyway ranks other
records as well and names the differences.

examples:
  ticklab compare freertos rt
  ticklab compare 20261120-1 latest
  ticklab compare freertos/default freertos/asserts
  ticklab compare --anyway freertos/default 'freertos/*'
  ticklab compare latest published:freertos-an386
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EXAMPLES
    parser.add_argument("first", metavar="A", help="the reference, or the run before a change")
    parser.add_argument("second", metavar="B", nargs="+", help="what to compare with A")
    parser.add_argument(
        "--anyway",
        action="store_true",
        help="also rank records that were measured under different conditions, and name the "
        "differences",
    )
    options.add_json(parser, "the comparison")
    options.add_store(parser)


def run(arguments: argparse.Namespace) -> int:
    from ticklab.comparison.published import PREFIX
    from ticklab.storage.store import Store

    if arguments.first.startswith(PREFIX):
        raise UsageError(
            f"'{arguments.first}' cannot be the first argument",
            "name the run first, then the published figures",
        )
    store = Store(arguments.store)
    seconds = _seconds(arguments, store)
    if any(word.startswith(PREFIX) for word in seconds):
        _beside_published(arguments, seconds, store)
    elif len(seconds) == 1:
        _compare(arguments, seconds[0], store)
    else:
        _compare_several(arguments, seconds, store)
    return 0


def _seconds(arguments: argparse.Namespace, store: Store) -> list[str]:
    """Returns the selections to compare with the reference. Expands patterns, and leaves out the
    reference if a pattern matches it."""
    from ticklab.comparison import selection
    from ticklab.views import changes

    words = [each for word in arguments.second for each in selection.each(word, store)]
    found = [word for word in words if word != arguments.first] or words
    if len(found) > changes.MOST:
        raise UsageError(
            f"{len(found)} changes are too many for one table", f"name at most {changes.MOST} B"
        )
    return found


def _subject(
    arguments: argparse.Namespace, first: Selection, word: str, store: Store
) -> ComparedSelection:
    from ticklab.comparison import selection
    from ticklab.views import changes, comparison

    second = selection.select(word, store)
    pairing = selection.pair(first, second)
    unlike = comparison.differences(first, second, pairing)
    if unlike and not arguments.anyway:
        raise _refusal(word, arguments.first, unlike)
    return changes.ComparedSelection(second, pairing, unlike)


def _compare(arguments: argparse.Namespace, word: str, store: Store) -> None:
    from ticklab.comparison import selection
    from ticklab.views import comparison, json, output

    first = selection.select(arguments.first, store)
    other = _subject(arguments, first, word, store)
    sides = (first, other.selection, other.pairing, other.unlike)
    comparison.show(*sides, output.console(arguments.json))
    if arguments.json:
        output.emit(json.dumps(comparison.document(*sides)), arguments.json)


def _compare_several(arguments: argparse.Namespace, words: Sequence[str], store: Store) -> None:
    from ticklab.comparison import selection
    from ticklab.views import changes, json, output

    first = selection.select(arguments.first, store)
    subjects = [_subject(arguments, first, word, store) for word in words]
    changes.show(first, subjects, output.console(arguments.json))
    if arguments.json:
        output.emit(json.dumps(changes.document(first, subjects)), arguments.json)


def _beside_published(arguments: argparse.Namespace, seconds: Sequence[str], store: Store) -> None:
    from ticklab.comparison import published, selection
    from ticklab.views import comparison, json, output

    if len(seconds) > 1:
        raise UsageError("published figures are printed beside one run only", "name one B")
    theirs = published.find(seconds[0])
    ours = selection.select(arguments.first, store)
    comparison.show_published(ours, theirs, output.console(arguments.json))
    if arguments.json:
        output.emit(json.dumps(comparison.published_document(ours, theirs)), arguments.json)


def _refusal(subject: str, reference: str, unlike: Sequence[Difference]) -> TicklabError:
    what = "; ".join(map(str, unlike))
    return TicklabError(
        f"{subject} and {reference} differ and are not ranked: {what}",
        "--anyway ranks them and names the differences",
    )
