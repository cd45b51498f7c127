# SPDX-License-Identifier: MIT
"""Generates two tables of the reference from the descriptions: which services and features each
scenario needs, and which features each kernel declares."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from ticklab.description import catalogue
from ticklab.description.features import FEATURES, Value
from ticklab.description.model import Scenario

_YES_OR_NO = {True: "yes", False: "no"}


def needs() -> str:
    """Returns the table of scenarios: the services and features that each needs."""
    every = (each for suite in catalogue.suites().values() for each in suite.scenarios)
    return "\n".join(_table(("suite", "scenario", "services", "features"), map(_row, every)))


def kernels() -> str:
    """Returns the table of features: the value for each kernel that a run measures by default."""
    known = catalogue.kernels()
    rows = ([f"`{name}`", *(_value(k.features, name) for k in known.values())] for name in FEATURES)
    return "\n".join(_table(("feature", *known), rows))


def _row(scenario: Scenario) -> list[str]:
    services = " ".join(f"`{name}`" for name in sorted(scenario.services)) or "none"
    features = " ".join(
        f"`{name}`" if value is True else f"`{name} = {value}`"
        for name, value in sorted(scenario.features.items())
    )
    return [scenario.suite, f"`{scenario.name}`", services, features]


def _value(features: Mapping[str, Value], name: str) -> str:
    """Returns the value of a feature for a table cell. It is empty if the kernel lacks the service
    to which the feature belongs."""
    value = features.get(name, "")
    return _YES_OR_NO[value] if isinstance(value, bool) else value


def _table(header: tuple[str, ...], rows: Iterable[list[str]]) -> Iterator[str]:
    yield "| " + " | ".join(header) + " |"
    yield "|---" * len(header) + "|"
    for row in rows:
        yield "| " + " | ".join(row) + " |"
