# SPDX-License-Identifier: MIT
"""An invented answer of the observer for tests: it explains two samples of a span, and is small
enough to check by hand. In each sample a task calls `bench_give`, which calls `enter` (a function
that masks interrupts) and `ready`; then the handler of PendSV runs.
"""

from __future__ import annotations

from typing import Any

LANES = [
    {"name": "instructions", "low": None, "high": None, "source": ""},
    {"name": "cycles", "low": 1, "high": 1, "source": ""},
    {"name": "refill", "low": 1, "high": 3, "source": ""},
]

# The functions of the answer: name, file, kind.
_FUNCTIONS = (
    ("task", "semaphore_blocking.c", "code"),
    ("bench_give", "port.c", "code"),
    ("enter", "kernel.c", "code"),
    ("ready", "kernel.c", "code"),
    ("PendSV_Handler", "kernel.S", "code"),
    ("exception entry", None, "hardware"),
)
# The nodes of the call tree: parent, kind, function, name, calls and own counts (sums over both
# samples).
_NODES: tuple[tuple[Any, ...], ...] = (
    (None, "task", None, "task", 0, [0, 0, 0]),
    (0, "function", 0, "task", 0, [4, 4, 2]),
    (1, "function", 1, "bench_give", 2, [6, 6, 2]),
    (2, "function", 2, "enter", 2, [8, 8, 2]),
    (2, "inlined", 3, "ready", 2, [10, 10, 0]),
    (None, "exception", None, "PendSV_Handler", 2, [0, 0, 0]),
    (5, "hardware", 5, "exception entry", 2, [0, 24, 0]),
    (5, "function", 4, "PendSV_Handler", 2, [12, 12, 4]),
)
# The executed instructions: address, class, function, own counts (sums over both samples).
_CODE: tuple[tuple[Any, ...], ...] = (
    (0x10, "alu", 0, [4, 4, 2]),
    (0x20, "branch", 1, [6, 6, 2]),
    (0x30, "change-state", 2, [2, 2, 0]),
    (0x32, "branch", 2, [6, 6, 2]),
    (0x40, "load", 3, [10, 10, 0]),
    (0x50, "store-multiple", 4, [4, 4, 0]),
    (0x54, "branch", 4, [8, 8, 4]),
)
_SECTION = {
    "begins": {"function": 2, "address": 0x30, "caller": 1},
    "ends": {"function": 1, "address": 0x22},
    "count": 2,
    "instructions": 18,
    "longest": {"instructions": 9, "sample": 0},
}
_MASKED = {
    "count": 2,
    "instructions": 18,
    "cycles": {"low": 20, "high": 24},
    "handlers": {"instructions": 12},
    "longest": _SECTION,
    "sections": [_SECTION],
    "enters": 2,
    "leaves": 2,
    "unknown": 0,
}


def document(listing: bool = False) -> dict[str, Any]:
    return {
        "schema": 2,
        "starts": None,
        "notes": [],
        "tasks": [
            {"name": "low", "switches": 3, "stack": {"bytes": 48, "calls": ["low", "bench_give"]}}
        ],
        "exceptions": [
            {"number": 14, "name": "PendSV_Handler", "stack": {"bytes": 8, "calls": []}}
        ],
        "frame_bytes": 32,
        "interrupts": None,
        "lanes": LANES,
        "functions": [
            {"name": name, "address": 0, "file": file, "inlined": name == "ready", "masks": None,
             "kind": kind}
            for name, file, kind in _FUNCTIONS
        ],
        "spans": [_span(listing)],
    }  # fmt: skip


def _span(listing: bool) -> dict[str, Any]:
    return {
        "name": "iteration", "samples": 3, "plain": 2, "ticked": 1, "foreign": 0, "warm_up": 0,
        "alone": False, "summed": 2, "less": None,
        "total": [40, 64, 10],
        "nodes": [_node(index) for index in range(len(_NODES))],
        "code": [
            {"address": address, "bytes": "4770", "class": kind, "function": function,
             "symbol": function, "line": "kernel.c:7", "executed": tally[0], "self": tally}
            for address, kind, function, tally in _CODE
        ],
        "masked": _MASKED,
        "suspended": None,
        "listing": _listing() if listing else None,
    }  # fmt: skip


def _node(index: int) -> dict[str, Any]:
    parent, kind, function, name, calls, own = _NODES[index]
    return {
        "parent": parent, "kind": kind, "function": function, "name": name, "calls": calls,
        "self": own, "total": _total(index),
    }  # fmt: skip


def _total(index: int) -> list[int]:
    below = [_total(i) for i, node in enumerate(_NODES) if node[0] == index]
    return [sum(lane) for lane in zip(_NODES[index][5], *below, strict=True)]


def _listing() -> dict[str, Any]:
    return {
        "sample": 1,
        "instructions": 2,
        "columns": ["address", "context", "function", "depth", "masked", "executed"],
        "contexts": [{"kind": "task", "name": "task"}],
        "rows": [[0x30, 0, 2, 2, 1, 1], [0x40, 0, 3, 2, 1, 0]],
    }
