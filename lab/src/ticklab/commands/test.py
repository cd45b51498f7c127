# SPDX-License-Identifier: MIT
"""`ticklab test`: runs the checks of the project, and prints one line for each."""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TextIO

from ticklab import bootstrap, options, paths
from ticklab.bootstrap import tables
from ticklab.quality import catalogue, mutants, passed_items, programs
from ticklab.quality.item import Item, ItemOptions
from ticklab.quality.progress_printer import ProgressPrinter
from ticklab.quality.runner import ItemResult, Runner

HELP = "check Ticklab itself: formats, lints, types, tests, proofs, mutants"

_EPILOG = """\
A name selects every item that begins with it: 'rules', 'python', 'python/test_store', 'bulkhead',
'bulkhead/target/chain', 'rtl/prove', 'mutants/rtl/queue'. 'ticklab test --list' prints all names.
An item that passed is not run again until one of its inputs changes. The whole output of a failed
item is in .ticklab/test, in a file with the name of the item.
"""


_LONG_RUN_S = 120  # from this processor time on, a run prints its most expensive items
_MOST_EXPENSIVE = 12


def needs(arguments: argparse.Namespace) -> tuple[str, ...]:
    """Returns the steps of the set-up that the tests need. The long tests also measure the kernels
    written in Rust, and run Bulkhead's crate on each core."""
    crates = [tables.step_of_crate(name) for name in (*tables.rust_crates(), "bulkhead")]
    return (*bootstrap.DEVELOPMENT, *(crates if arguments.long else ()))


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = _EPILOG
    add = parser.add_argument
    add("names", nargs="*", metavar="NAME", help="items to run, by the start of their names (all)")
    add("--list", action="store_true", help="print the names of the chosen items; run none")
    add("--fix", action="store_true", help="let the formatters change the files; run no item")
    add("--fast", action="store_true", help="run only the items for every commit (3 minutes)")
    add("--long", action="store_true", help="run longer tests, larger proofs and all mutants")
    add("--no-cache", action="store_true", help="run the items whose inputs did not change, too")
    add(
        "--shard",
        metavar="I/N",
        type=options.shard,
        help="run part I of N parts of the chosen items",
    )
    add(
        "--seed",
        metavar="S",
        type=options.number,
        default=1,
        help="seed of random tests and of the mutants (default 1)",
    )
    jobs = os.cpu_count() or 1
    add(
        "--jobs",
        type=options.positive,
        default=jobs,
        metavar="N",
        help="items at once (default: one a core)",
    )
    add("--json", metavar="FILE", help="write the result of each item to FILE ('-': on stdout)")
    add("--verbose", action="store_true", help="print the output of items that pass, too")


def run(arguments: argparse.Namespace) -> int:
    if arguments.fix:
        return _fix()
    chosen = _chosen(arguments)
    if arguments.list:
        print("\n".join(sorted(item.name for item in chosen)))
        return 0
    results = _run(chosen, arguments)
    _write(results, arguments.json)
    out = _stream(arguments)
    for line in (*most_expensive(results), *mutants.score(results)):
        print(line, file=out)
    failed = sum(not result.passed for result in results)
    print(f"{len(results) - failed} passed, {failed} failed", file=out, flush=True)
    return 1 if failed else 0


def _fix() -> int:
    violations = programs.fix()
    print("\n".join(violations) or "formatted")
    return 1 if violations else 0


def _chosen(arguments: argparse.Namespace) -> list[Item]:
    choice = ItemOptions(arguments.long, arguments.seed)
    items = catalogue.named(catalogue.every(choice), arguments.names)
    if arguments.fast:
        items = list(catalogue.fast(items))
    return catalogue.shard(items, *arguments.shard) if arguments.shard else items


def _run(items: Sequence[Item], arguments: argparse.Namespace) -> list[ItemResult]:
    known = None if arguments.no_cache else passed_items.opened()
    found = {item.name: known.find(item) for item in items} if known else {}
    results = [result for result in found.values() if result]
    waiting = [item for item in items if not found.get(item.name)]
    tell = ProgressPrinter(waiting, len(results), arguments.verbose, _stream(arguments))
    with tempfile.TemporaryDirectory(prefix="ticklab-test-") as work:
        runner = Runner(Path(work), paths.home() / "test", arguments.jobs)
        for item, ended in runner.run(waiting):
            changed = known.changed(item) if known else []
            result = _doubted(ended, changed)
            results.append(result)
            tell.ended(result)
            if known and result.passed and not changed:
                known.keep(item, result)
        _forget_bytecode(Path(work))
    if known:
        known.prune()
    return results


def most_expensive(results: Sequence[ItemResult]) -> list[str]:
    """Returns lines with the processor time of a long run and its most expensive items, so that the
    author of an item sees what it costs. Empty for a short run."""
    total = sum(result.cpu_seconds for result in results)
    if total < _LONG_RUN_S:
        return []
    first = sorted(results, key=lambda result: -result.cpu_seconds)[:_MOST_EXPENSIVE]
    share = sum(result.cpu_seconds for result in first) / total
    head = f"{total / 60:.1f} min of CPU, {share:.0%} of it in these items:"
    return [head, *(f"  {result.cpu_seconds:6.1f} s {result.name}" for result in first)]


def _forget_bytecode(work: Path) -> None:
    """Removes the cached bytecode of modules that items copied into a temporary folder."""
    if sys.pycache_prefix:
        shutil.rmtree(Path(sys.pycache_prefix, *work.parts[1:]), ignore_errors=True)


def _doubted(result: ItemResult, changed: Sequence[str]) -> ItemResult:
    """Returns the result of an item. If the item failed and its inputs changed while it ran, adds a
    remark: the item may have built a program from two versions of the inputs."""
    if result.passed or not changed:
        return result
    more = f" and {len(changed) - 3} more" if len(changed) > 3 else ""
    remark = f"changed while it ran: {', '.join(changed[:3])}{more}; run it again"
    return replace(result, output=f"{result.output}\n{remark}".strip())


def _stream(arguments: argparse.Namespace) -> TextIO:
    return sys.stderr if arguments.json == "-" else sys.stdout


def _write(results: Sequence[ItemResult], file: str | None) -> None:
    if file:
        from ticklab.quality import report

        text = report.text(results)
        if file == "-":
            print(text, end="")
        else:
            Path(file).write_text(text)
