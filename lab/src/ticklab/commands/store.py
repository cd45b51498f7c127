# SPDX-License-Identifier: MIT
"""`ticklab store`: copies other stores into a store, for example those of the jobs of a build
server."""

from __future__ import annotations

import argparse
from pathlib import Path

from ticklab import options
from ticklab.errors import UsageError
from ticklab.plural import number_of

HELP = "merge stores of runs or of campaigns"

EPILOG = """\
Copies the measurements and runs of other stores into one; checksums are compared. The runs of the
shards of a command become the run that the command without --shard gives. Stores of campaigns
(their folders) are merged, too: the same `ticklab campaign` then finds all observations.

examples:
  ticklab run --shard 1/2 --store one              on one machine
  ticklab run --shard 2/2 --store two              on another one
  ticklab store merge one two --store whole
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EPILOG
    actions = parser.add_subparsers(dest="action", metavar="merge", required=True, help="to do:")
    merge = actions.add_parser("merge", help="copy stores into one, and join the runs of shards")
    merge.add_argument(
        "stores", metavar="DIR", nargs="+", type=Path, help="the stores to copy from"
    )
    options.add_store(merge)


def needs(arguments: argparse.Namespace) -> tuple[str, ...]:
    of_campaigns = any(_is_of_a_campaign(place) for place in arguments.stores)
    return ("python", *(("campaign",) if of_campaigns else ()))


def run(arguments: argparse.Namespace) -> int:
    for place in arguments.stores:
        if not place.is_dir():
            raise UsageError(
                f"there is no store {place}",
                "give the folder that an earlier command had as --store",
            )
        if place.resolve() == arguments.store.resolve():
            raise UsageError(f"{place} is also the store to write", "give another --store DIR")
    campaigns = [place for place in arguments.stores if _is_of_a_campaign(place)]
    if campaigns and len(campaigns) < len(arguments.stores):
        raise UsageError(
            f"{campaigns[0]} is of a campaign, and another one is not",
            "merge stores of campaigns and stores of runs separately",
        )
    if campaigns:
        return _merge_campaigns(campaigns, arguments.store)
    return _merge_runs(arguments.stores, arguments.store)


def _is_of_a_campaign(place: Path) -> bool:
    return (place / "observations").is_dir()


def _merge_campaigns(places: list[Path], into: Path) -> int:
    from ticklab.campaign.shared import SharedStore

    target, added = SharedStore(str(into)), 0
    for place in places:
        source = SharedStore(str(place))
        for key, found in source.observations(sorted(source.finished())):
            if found is not None:
                found.pop("schema")
                added += target.add(key, found)
    print(f"merged {len(places)} stores of campaigns into {into}: {added:,} new observations")
    return 0


def _merge_runs(places: list[Path], into: Path) -> int:
    from ticklab.measurement import merging
    from ticklab.storage.adoption import adopt
    from ticklab.storage.store import Store

    target = Store(into)
    target.open_for_writing()
    stores = [Store(place) for place in places]
    runs = [run for store in stores for run in store.every_run()]
    merged = merging.merge(runs)
    for store in stores:
        adopt(target, store)
    for one in merged:
        target.add_run(one)
    sources = f"{number_of(len(runs), 'run')} of {number_of(len(places), 'store')}"
    print(f"merged {sources} into {len(merged)} of {into}")
    return 0
