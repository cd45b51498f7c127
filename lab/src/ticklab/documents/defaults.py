# SPDX-License-Identifier: MIT
"""Generates bench/src/unsupported.c, which defines each service that a port may lack, from the
declarations in bench/port.h.

The generated code is formatted as .clang-format says.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ticklab import paths
from ticklab.description.fields import CONTRACT, SERVICE_NAME

FILE = paths.CHECKOUT / "bench" / "src" / "unsupported.c"

_HEAD = """\
// SPDX-License-Identifier: MIT
//
// Defines every service of bench/port.h for a kernel that lacks it. The definitions are weak: a
// port overrides those that its kernel offers. `ticklab docs generate` writes this file.
//
// A scenario is not built for a kernel that lacks one of its services, so these functions run only
// if kernel.toml names a service that the port does not define. They then fail the run or return
// BENCH_UNSUPPORTED.
#include <bench/port.h>

#define WEAK __attribute__((weak))
"""
_FUNCTION = re.compile(
    r"^(?:BENCH_SERVICE\w* )?(?P<result>(?:\w+ )*\w+[ \n]\*?)(?P<name>bench_\w+)"
    r"\((?P<parameters>[^()]*)\);",
    re.MULTILINE,
)
# Functions that every port must have, and functions at the end of the header that no kernel
# provides.
_NO_DEFAULT = {"bench_port_start", "bench_task_self", "bench_fail", "bench_finish"}
_OWN = {
    "bench_ticks": 'bench_fail("this kernel has no tick");',
    "bench_node_self": "return 0; // one node",
}
_COLUMNS = 100


def text() -> str:
    """Returns the file."""
    return "\n".join([_HEAD, *_defaults(CONTRACT.read_text())])


def write() -> list[str]:
    """Writes the file. Returns its name in a list if it changed."""
    if FILE.read_text() == text():
        return []
    FILE.write_text(text())
    return [str(FILE.relative_to(paths.CHECKOUT))]


def _defaults(contract: str) -> Iterator[str]:
    """Yields the default definition of each function that a port may lack. The function belongs to
    the service that the nearest comment before it names."""
    end, service = 0, ""
    for function in _FUNCTION.finditer(contract):
        for named in SERVICE_NAME.finditer(contract, end, function.start()):
            service = named["one"] or named["other"]
        end = function.end()
        if function["name"] not in _NO_DEFAULT:
            yield _definition(function, service)


def _definition(function: re.Match[str], service: str) -> str:
    result = function["result"].replace("\n", " ")
    parameters = re.split(r",\s*", function["parameters"])
    names = [re.findall(r"\w+", re.sub(r"\[.*", "", each))[-1] for each in parameters]
    unused = [f"(void){name};" for name in names if name != "void"]
    body = [*unused, _answer(function["name"], result, service)]
    lines = "".join(f"    {line}\n" for line in body)
    signature = _signature(f"WEAK {result}{function['name']}(", parameters)
    return f"{signature} {{\n{lines}}}\n"


def _answer(name: str, result: str, service: str) -> str:
    if name in _OWN:
        return _OWN[name]
    if result == "enum bench_status ":
        return "return BENCH_UNSUPPORTED;"
    return f'bench_fail("service {service} is unsupported; take it out of kernel.toml");'


def _signature(head: str, parameters: list[str]) -> str:
    """Returns the lines of a function's head, with the parameters aligned below each other."""
    lines = [head]
    for place, each in enumerate(parameters):
        is_last = place == len(parameters) - 1
        word = f"{each}{')' if is_last else ','}"
        gap = "" if lines[-1].endswith("(") or not lines[-1].strip() else " "
        if len(lines[-1] + gap + word) + (2 if is_last else 0) > _COLUMNS:
            lines.append(" " * len(head))
            gap = ""
        lines[-1] += gap + word
    return "\n".join(lines)
