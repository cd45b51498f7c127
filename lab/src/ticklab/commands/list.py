# SPDX-License-Identifier: MIT
"""`ticklab list`: lists kernels, boards, suites and profiles, and the runs in the store."""

from __future__ import annotations

import argparse

from ticklab import options

HELP = "list kernels, boards, suites, profiles or runs"
NEEDS = ("python",)
KINDS = ("kernels", "boards", "suites", "profiles", "runs")


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("kind", choices=KINDS, metavar="|".join(KINDS), help="what to list")
    options.add_json(parser, "the list")
    options.add_store(parser)


def run(arguments: argparse.Namespace) -> int:
    from ticklab.views import json, listing, output

    items = _items(arguments)
    out = output.console(arguments.json)
    for item in items:
        listing.show(item, out)
        if arguments.kind != "runs":  # a run takes one line
            out.print()
    if not items:
        out.print(f"no {arguments.kind} yet")
    if arguments.json:
        document = listing.document(arguments.kind, items)
        output.emit(json.dumps(document), arguments.json)
    return 0


def _items(arguments: argparse.Namespace) -> list[object]:
    from ticklab.description import catalogue

    match arguments.kind:
        case "kernels":
            return [*catalogue.kernels().values()]
        case "boards":
            return [*catalogue.boards().values()]
        case "suites":
            return [*catalogue.suites().values()]
        case "profiles":
            return [*catalogue.profiles().values()]
    from ticklab.storage.store import Store
    from ticklab.views import output

    return [*Store(arguments.store).summaries(output.passed_over)]
