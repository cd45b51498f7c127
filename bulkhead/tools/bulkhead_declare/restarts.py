# SPDX-License-Identifier: MIT
"""Policies for restarts: finds mistakes in their declaration, and writes the tables of the kernel
and of the supervisors in C."""

from __future__ import annotations

from collections.abc import Iterator

from bulkhead_declare import rights
from bulkhead_declare.model import Policy, Process, System, title
from bulkhead_declare.rows import rows_of_processes

_TICKS = 0x3FFF_FFFF  # user/supervise.c compares times by their difference
_FLAGS = 0x7FFF_FFFF


def policies(system: System) -> list[int]:
    """Returns the processes that their supervisors may restart."""
    return [i for i, each in enumerate(system.processes) if each.policy is not None]


def mistakes(system: System) -> Iterator[str]:
    for index, process in enumerate(system.processes):
        if process.policy is not None:
            yield from _process(system, index, process)
            yield from _times(process.name, process.policy)
            yield from _escalation(system, process, process.policy)
            yield from _alive(system, index, process.policy)


def _process(system: System, index: int, process: Process) -> Iterator[str]:
    if process.supervisor is None:
        yield f"process {process.name} has escalation but no supervisor; name a supervisor"
    if process.restarts:
        yield (
            f"process {process.name} has restarts and escalation; with escalation its supervisor "
            "restarts it, so remove restarts"
        )
    if not any(each.process == index for each in system.threads):
        yield f"process {process.name} has escalation but no thread; remove escalation"


def _times(name: str, policy: Policy) -> Iterator[str]:
    for key, value in (
        ("restart_limit", policy.limit),
        ("restart_delay_ticks", policy.delay_ticks),
        ("stable_ticks", policy.stable_ticks),
    ):
        if not 0 <= value <= _TICKS:
            yield f"process {name} has {key} {value}; use 0 to {_TICKS}"
    if policy.limit and not policy.stable_ticks:
        yield (
            f"process {name} has restart_limit but no stable_ticks; add stable_ticks, after which "
            "its restarts are counted from 0 again"
        )
    if not policy.limit and (policy.stable_ticks or policy.delay_ticks):
        yield (
            f"process {name} is never restarted, but has times of restarts; add restart_limit, or "
            "remove stable_ticks and restart_delay_ticks"
        )


def _escalation(system: System, process: Process, policy: Policy) -> Iterator[str]:
    if policy.escalation != "reset" or process.supervisor is None:
        return
    owner = system.threads[process.supervisor].process
    if not any(owner in each.users for each in system.records):
        yield (
            f"process {process.name} has escalation 'reset', but its supervisor has no right to "
            f"reset the system; add a record with {system.processes[owner].name} in its users"
        )


def _alive(system: System, index: int, policy: Policy) -> Iterator[str]:
    process = system.processes[index]
    if policy.alive is None or process.supervisor is None:
        return
    flags = system.flags[policy.alive]
    what = title("flags", policy.alive, flags)
    users = {index, system.threads[process.supervisor].process}
    if flags.users != users:
        names = " and ".join(system.processes[each].name for each in sorted(users))
        yield (
            f"process {process.name} says by {what} that it is alive, and other processes could "
            f"say so, too; make exactly {names} its users"
        )
    actions = [each.action for each in system.timers]
    actions += [each.action for each in system.interrupts]
    if any(each.action == "sets" and each.object == policy.alive for each in actions):
        yield (
            f"a timer or an interrupt sets {what}, by which process {process.name} says that it is "
            "alive, also while the process hangs; let it set other flags"
        )
    if not 0 < policy.alive_flags <= _FLAGS:
        yield f"process {process.name} has alive_flags {policy.alive_flags:#x}; use bits 0 to 30"


# --- The kernel's rows ----------------------------------------------------------------------------


def tables(system: System) -> Iterator[str]:
    found = policies(system)
    if found:
        yield '#include "options/restart.h"'
        yield f"static struct restart restarts[{len(found)}];"
        yield from rows_of_processes(system, "restart", "restarts", found)


# --- The supervisors' tables ----------------------------------------------------------------------


def _by_supervisor(system: System) -> dict[int, list[int]]:
    """Returns for each supervising thread the processes whose restart policies it carries out."""
    found: dict[int, list[int]] = {}
    for index in policies(system):
        supervisor = system.processes[index].supervisor
        if supervisor is not None:
            found.setdefault(supervisor, []).append(index)
    return found


def table_name(system: System, thread: int) -> str:
    return f"bulkhead_policies_{system.threads[thread].name}"


def definitions(system: System) -> Iterator[str]:
    """Writes the tables of the supervisors, which lie in the code that all processes share."""
    supervisors = _by_supervisor(system)
    if supervisors:
        yield "#include <bulkhead/supervise.h>"
    for thread, processes in supervisors.items():
        name = table_name(system, thread)
        yield f"extern const struct bulkhead_policy {name}[];"
        yield f"const struct bulkhead_policy {name}[] = {{"
        for index in processes:
            yield f"    {_row(system, index)},"
        yield "};"


def _row(system: System, index: int) -> str:
    fields = _policy_words(system, index)
    return f"{{{', '.join(f'.{name} = {value}' for name, value in fields.items())}}}"


def _policy_words(system: System, index: int) -> dict[str, int]:
    """Returns the values of struct bulkhead_policy for a process, by the names of the members in
    their order."""
    policy, first = system.processes[index].policy, rights.first_handles(system)
    assert policy is not None
    return {
        "process": first["process"] + rights.supervised(system).index(index),
        "record": first["record"] if policy.escalation == "reset" else 0,
        "limit": policy.limit,
        "stable_ticks": policy.stable_ticks,
        "delay_ticks": policy.delay_ticks,
        "flags": 0 if policy.alive is None else first["flags"] + policy.alive,
        "alive": 0 if policy.alive is None else policy.alive_flags,
    }


def rows(system: System) -> dict[int, list[tuple[int, ...]]]:
    """Returns the policies of each supervising thread, as words of struct bulkhead_policy."""
    return {
        thread: [tuple(_policy_words(system, each).values()) for each in processes]
        for thread, processes in _by_supervisor(system).items()
    }


def names(system: System) -> Iterator[str]:
    """Writes the part of handles.h that declares the tables of the supervisors."""
    supervisors = _by_supervisor(system)
    if supervisors:
        yield "#include <bulkhead/supervise.h>"
    for thread, processes in supervisors.items():
        yield f"enum {{ POLICIES_{system.threads[thread].name.upper()} = {len(processes)} }};"
        yield f"extern const struct bulkhead_policy {table_name(system, thread)}[];"
