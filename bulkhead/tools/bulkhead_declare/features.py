# SPDX-License-Identifier: MIT
"""Selects the optional parts of the kernel that a declaration needs, and writes their tables, their
header and the source that includes them. A system has no code of other parts (core/optional.h).
"""

from __future__ import annotations

from collections.abc import Iterator

from bulkhead_declare import apart, budgets, events, leases, measures, records, restarts, shares
from bulkhead_declare.model import System


def _needed(system: System) -> dict[str, bool]:
    return {
        "BUDGETS": bool(budgets.limited(system)),
        "RIGHTS_APART": apart.is_used(system),
        "SHARES": shares.need_code(system),
        "RESTARTS": bool(restarts.policies(system)),
        "RECORD": bool(system.records),
        "LEASES": leases.are_used(system),
        "MARKS": system.stack_marks,
        "TIMES": system.thread_times,
        "TRACE": bool(system.trace_events),
        "TRACE_CALLS": system.trace_calls,
        "LOGS": events.have_logs(system),
    }


# The source files of each optional part, in core/options and arch/*/options.
_FILES = {
    "BUDGETS": ("budget.c", "clock.c"),
    "RIGHTS_APART": (),
    "SHARES": ("shares.c",),
    "RESTARTS": ("restart.c",),
    "RECORD": ("record.c", "reset.c"),
    "LEASES": ("lease.c",),
    "MARKS": ("marks.c",),
    "TIMES": ("times.c", "clock.c"),
    "TRACE": ("trace.c", "clock.c"),
    "TRACE_CALLS": (),
    "LOGS": (),
}


def header(system: System) -> str:
    """Returns kernel_features.h, which says for each part whether the system has it."""
    return "\n".join(
        (
            "// SPDX-License-Identifier: MIT",
            "// Made from the declaration.",
            *(f"#define KERNEL_HAS_{name} {int(has)}" for name, has in _needed(system).items()),
            "",
        )
    )


def sources(system: System) -> str:
    """Returns kernel_options.c, which includes the sources of the needed parts. No build compiles a
    file of `options` alone."""
    files = [file for name, has in _needed(system).items() if has for file in _FILES[name]]
    return "\n".join(
        (
            "// SPDX-License-Identifier: MIT",
            "// Made from the declaration.",
            '#include "optional.h"',
            *(f'#include "options/{each}"' for each in dict.fromkeys(files)),
            "",
        )
    )


def mistakes(system: System) -> Iterator[str]:
    yield from apart.mistakes(system)
    yield from budgets.mistakes(system)
    yield from measures.mistakes(system)
    yield from restarts.mistakes(system)
    yield from records.mistakes(system)
    yield from events.mistakes(system)


def tables(system: System) -> Iterator[str]:
    """Yields the tables of the needed parts, and assertions that kernel_features.h is made from the
    same declaration."""
    needed = [name for name, has in _needed(system).items() if has and _FILES[name]]
    if needed:
        yield '#include "optional.h"'
    for name in needed:
        message = '"kernel_features.h is of another declaration"'
        yield f"_Static_assert(KERNEL_HAS_{name}, {message});"
    yield from budgets.tables(system)
    yield from restarts.tables(system)
    yield from events.tables(system)
