# SPDX-License-Identifier: MIT
"""Handles separate rights to send to an object and to receive from it: selects the table of methods
for a process that may only send, only receive, or do both, and finds mistakes in such
declarations."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bulkhead_declare.model import Flags, Pool, Queue, Semaphore, System, title

Sided = Semaphore | Queue | Flags | Pool

# For each type of object: the tables of methods for users that only send, that only receive, and
# that do both (core/calls).
_TABLES: dict[type[Sided], tuple[str, str, str]] = {
    Semaphore: ("given_semaphore", "taken_semaphore", "semaphore"),
    Queue: ("sent_queue", "received_queue", "queue"),
    Flags: ("set_flags", "awaited_flags", "flags"),
    Pool: ("freed_pool", "allocated_pool", "pool"),
}
_FOUR_WORDS = 16  # message size in bytes for which there are fast paths in assembler (queue.inc)
_SIDES = {
    "semaphore": ("givers", "takers"),
    "queue": ("senders", "receivers"),
    "flags": ("setters", "waiters"),
    "pool": ("freers", "allocators"),
}


def table_of(each: Sided, process: int) -> str:
    """Returns the name of the table of methods that `process` has for an object in the kernel."""
    sends, receives, both = _TABLES[type(each)]
    found = sends if process in each.only_send else receives
    found = found if process in each.only_send | each.only_receive else both
    if isinstance(each, Queue) and each.message_bytes == _FOUR_WORDS:
        found = found.replace("queue", "four_word_queue")
    return found


def is_used(system: System) -> bool:
    return any(each.only_send | each.only_receive for _, _, each in _objects(system))


def mistakes(system: System) -> Iterator[str]:
    for kind, index, each in _objects(system):
        sends, receives = _SIDES[kind]
        what = title(kind, index, each)
        if each.local and each.only_send | each.only_receive:
            yield (
                f"{what} is local, so its process may make every call; name the process in users, "
                f"not in {sends} or {receives}"
            )
        elif each.users and not each.users - each.only_send:
            yield f"{what} has neither {receives} nor users; add one, or remove the {kind}"
        elif kind == "queue" and each.users and not each.users - each.only_receive:
            yield f"{what} has neither {sends} nor users; add one, or remove the {kind}"


def _objects(system: System) -> Iterator[tuple[str, int, Sided]]:
    kinds: tuple[tuple[str, Sequence[Sided]], ...] = (
        ("semaphore", system.semaphores),
        ("queue", system.queues),
        ("flags", system.flags),
        ("pool", system.pools),
    )
    for kind, objects in kinds:
        for index, each in enumerate(objects):
            yield kind, index, each
