# SPDX-License-Identifier: MIT
"""The features that a kernel declares ([features] of kernel.toml). Some concern the whole kernel,
others one of its services.

A feature of a service is a property in which kernels with the service differ: for example, the
order in which waiting tasks are served. Its name is SERVICE.FEATURE. A scenario that proves a
feature names it (`proves` in suite.toml). If no scenario proves a feature, every view says that the
feature is declared and not proven. docs/reference/contract.md has the same list for readers.
"""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

Value = bool | str

YES_OR_NO: tuple[Value, ...] = (True, False)
# The value `none` means that only one task can wait at the object, so that there is no order.
ORDER: tuple[Value, ...] = ("priority", "fifo", "none")


@dataclass(frozen=True)
class Feature:
    # The feature concerns scenarios that use all of these services. An empty set: it concerns every
    # scenario.
    services: frozenset[str] = frozenset()
    # The possible values. For a feature of a service, the first value is the default.
    values: tuple[Value, ...] = YES_OR_NO
    requires: str | None = None  # a kernel without this service does not have the feature
    # Whether an image can contradict the feature (building/assertions.py): an image can show that
    # it contains assertions, but not that it contains none.
    in_image: bool = False
    # Whether the value may be a text that says how far the kernel has the feature.
    may_be_qualified: bool = False
    is_provable: bool = True

    @property
    def has_words(self) -> bool:
        """Returns whether the values of the feature are words, and not true and false."""
        return isinstance(self.values[0], str)

    @property
    def default(self) -> Value:
        return self.values[0] if self.services else False


def _of(*services: str, values: tuple[Value, ...] = YES_OR_NO) -> Feature:
    return Feature(frozenset(services), values)


CHECKS = "checks"
FEATURES: Mapping[str, Feature] = {
    CHECKS: Feature(in_image=True, may_be_qualified=True),
    "inheritance": Feature(requires="mutex"),
    "deletion": Feature(),
    "accounting": Feature(is_provable=False),
    "time_slicing": Feature(),
    "isolation": Feature(requires="unprivileged", may_be_qualified=True),
    "semaphore.order": _of("semaphore", values=ORDER),
    "semaphore.maximum": _of("semaphore"),
    "semaphore.timeout": _of("semaphore"),
    "semaphore.from_interrupt": _of("semaphore", "interrupt"),
    "mutex.order": _of("mutex", values=ORDER),
    "mutex.timeout": _of("mutex"),
    "mutex.ownership": _of("mutex"),
    "flags.timeout": _of("flags"),
    "queue.order": _of("queue", values=ORDER),
    "queue.timeout": _of("queue"),
    "queue.copies": _of("queue"),
    "queue.waiting_senders": _of("queue"),
    "notification.timeout": _of("notification"),
    "notification.from_interrupt": _of("notification", "interrupt"),
    "resume.from_interrupt": _of("resume", "interrupt"),
    "interrupt.source": _of("interrupt", values=("external", "trap")),
}


class Protection(StrEnum):
    """The class of protection by which views group kernels. The weakest class comes first."""

    NONE = "none"
    KERNEL = "kernel"  # protects the kernel from the tasks, which may share memory with each other
    TASKS = "tasks"  # also protects each task from every other


def protection(features: Mapping[str, bool | str], declared: Protection | None) -> Protection:
    """Returns the class of protection of a kernel. The class is `tasks` only if the kernel declares
    it."""
    if not features.get("isolation"):
        return Protection.NONE
    return declared or Protection.KERNEL


# Features that a port of Thread-Metric can show. The interface of Thread-Metric has no timeouts,
# and in its tests no two tasks wait for one object and no object reaches its maximum.
OF_THREAD_METRIC = frozenset({
    "semaphore.from_interrupt", "resume.from_interrupt", "queue.copies", "interrupt.source",
})  # fmt: skip


def defaults(services: Set[str], is_thread_metric: bool) -> dict[str, Value]:
    """Returns the features that a kernel with these services has if kernel.toml does not say
    otherwise."""
    return {
        name: feature.default
        for name, feature in FEATURES.items()
        if feature.services and feature.services <= services
        if not is_thread_metric or name in OF_THREAD_METRIC
    }


def schema() -> dict[str, Any]:
    """Returns the JSON Schema of the table [features]. Features of a service are in a nested table
    with the service's name."""
    whole: dict[str, Any] = {}
    services: dict[str, dict[str, Any]] = {}
    for name, feature in FEATURES.items():
        service, dot, own = name.partition(".")
        place = services.setdefault(service, {}) if dot else whole
        place[own or name] = _schema_of(feature)
    return _table_of({**whole, **{name: _table_of(keys) for name, keys in services.items()}})


def _table_of(keys: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": keys, "additionalProperties": False}


def _schema_of(feature: Feature) -> dict[str, Any]:
    if feature.has_words:
        return {"enum": list(feature.values)}
    return {"type": ["boolean", "string"] if feature.may_be_qualified else "boolean"}


def concerns(name: str, services: Set[str]) -> bool:
    """Returns whether a feature concerns a scenario that uses these services."""
    return FEATURES[name].services <= services
