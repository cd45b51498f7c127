# SPDX-License-Identifier: MIT
"""`compare`: is B faster than A, by how much, and may they be compared at all?"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ticklab import paths
from ticklab.errors import TicklabError, UsageError

if TYPE_CHECKING:
    from ticklab.compare import Difference
    from ticklab.store import Store

HELP = "compare two runs or kernels, or a run with published figures"
NEEDS = ("python",)
EXAMPLES = """\
A and B are each
  RUN                              a whole run: its id, the beginning of one, or latest
  RUN:KERNEL[/CONFIG[/OPTIMISE]]   one kernel of a run
  KERNEL[/CONFIG[/OPTIMISE]]       one kernel of the latest run
B may be published:NAME: figures from data/published.toml beside a run, never ranked.

Two records are ranked only if compiler, flags, clock, board, timing profile and declared features
are the same. --anyway ranks others too, and says what differs.

examples:
  ticklab compare freertos rt
  ticklab compare 20261120-1 latest
  ticklab compare freertos/default freertos/asserts
  ticklab compare latest published:freertos-an386
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EXAMPLES
    parser.add_argument("first", metavar="A", help="the reference, or what was before")
    parser.add_argument("second", metavar="B", help="what is compared with it")
    parser.add_argument("--anyway", action="store_true", help="rank what is not alike, and say so")
    parser.add_argument("--json", metavar="FILE", help="write it as JSON; - prints")
    parser.add_argument("--store", metavar="DIR", type=Path, default=paths.store())


def run(arguments: argparse.Namespace) -> int:
    from ticklab.published import PREFIX
    from ticklab.store import Store

    if arguments.first.startswith(PREFIX):
        raise UsageError(f"'{arguments.first}' cannot come first", "name the run first")
    store = Store(arguments.store)
    if arguments.second.startswith(PREFIX):
        _beside_published(arguments, store)
    else:
        _compare(arguments, store)
    return 0


def _compare(arguments: argparse.Namespace, store: Store) -> None:
    from ticklab import selection
    from ticklab.views import comparison, json, output

    first = selection.select(arguments.first, store)
    second = selection.select(arguments.second, store)
    pairing = selection.pair(first, second)
    unlike = comparison.differences(first, second, pairing)
    if unlike and not arguments.anyway:
        raise _refusal(unlike)
    comparison.show(first, second, pairing, unlike, output.console(arguments.json))
    if arguments.json:
        text = json.dumps(comparison.document(first, second, pairing, unlike))
        output.emit(text, arguments.json)


def _beside_published(arguments: argparse.Namespace, store: Store) -> None:
    from ticklab import published, selection
    from ticklab.views import comparison, json, output

    theirs = published.find(arguments.second)
    ours = selection.select(arguments.first, store)
    comparison.show_published(ours, theirs, output.console(arguments.json))
    if arguments.json:
        output.emit(json.dumps(comparison.published_document(ours, theirs)), arguments.json)


def _refusal(unlike: Sequence[Difference]) -> TicklabError:
    what = "; ".join(map(str, unlike))
    return TicklabError(
        f"A and B are not alike and are not ranked: {what}", "--anyway ranks them and says so"
    )
