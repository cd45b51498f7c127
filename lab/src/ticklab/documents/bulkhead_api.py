# SPDX-License-Identifier: MIT
"""The reference of Bulkhead's interface, generated from the headers that applications include.

Each header begins with a comment for readers. Headings of the form `// --- Heading ---` divide the
rest into sections. A section is shown as it is, because the comments in the headers are the
documentation.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ticklab import paths

FOLDER = paths.CHECKOUT / "bulkhead" / "include" / "bulkhead"
# The headers, in the order in which a reader should read them.
HEADERS = ("bulkhead.h", "calls.h", "local.h", "result.h", "fault.h", "start.h", "bulkhead.hpp")

_HEADING = re.compile(r"^// --- (.*?) -*$")
_SKIPPED = re.compile(r"^(#(ifndef|define) \w+_H$|#endif$|// SPDX)")


def markdown() -> str:
    """Returns the reference as Markdown, with one section for each header."""
    return "\n".join(line for name in HEADERS for line in _section(name))


def _section(name: str) -> Iterator[str]:
    lines = [line for line in (FOLDER / name).read_text().splitlines() if not _SKIPPED.match(line)]
    yield from (f"## bulkhead/{name}", "")
    code: list[str] = []
    for line in lines:
        heading = _HEADING.match(line)
        if heading:
            yield from _block(code)
            code = []
            yield from (f"### {heading[1]}", "")
        else:
            code.append(line)
    yield from _block(code)


def _block(code: list[str]) -> Iterator[str]:
    text = "\n".join(code).strip("\n")
    if text:
        yield from ("```c", text, "```", "")
