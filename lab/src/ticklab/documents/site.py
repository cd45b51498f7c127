# SPDX-License-Identifier: MIT
"""Builds the documentation site with MkDocs from a copy of docs/ in which generated parts are
filled in. So the documents themselves stay plain Markdown, which other viewers show as well.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from ticklab import paths
from ticklab.documents import bulkhead_api, command_line, description_keys, schemas, services
from ticklab.errors import TicklabError
from ticklab.site import documents as site_documents
from ticklab.views import run_document

DOCS = paths.CHECKOUT / "docs"

# A comment `<!-- generated: NAME -->` in a document is replaced by the text that the function
# returns.
_PARTS: dict[str, Callable[[], str]] = {
    "command-line": command_line.markdown,
    "bulkhead-api": bulkhead_api.markdown,
    "scenario-needs": services.needs,
    "kernel-features": services.kernels,
    "documents": description_keys.documents,
    **{f"{name}-keys": partial(description_keys.markdown, name) for name in schemas.FILES},
    **{
        f"{name}-fields": partial(description_keys.fields, kind)
        for name, kind in (*run_document.OBJECTS.items(), *site_documents.OBJECTS.items())
    },
}
_PART = re.compile(r"<!-- generated: ([a-z-]+) -->")
_FENCE = re.compile(r"^```")
# Matches the first line of a code block with words after the language. These words are for the test
# that executes the block, and are removed.
_TESTED = re.compile(r"^```(\w+) (?:(?:file|append)=(\S+)|.+)$", re.MULTILINE)
# Python-Markdown starts a list or a table only after an empty line; other viewers do not need one.
_STARTS = (re.compile(r"^([-*]|\d+\.) "), re.compile(r"^\|"))


def build() -> Path:
    """Builds the site, fails on any warning, and returns its first page."""
    folder = paths.home() / "site"
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(DOCS, folder / "docs", ignore=shutil.ignore_patterns("mkdocs.yml"))
    shutil.copy(DOCS / "mkdocs.yml", folder)
    for document in (folder / "docs").rglob("*.md"):
        document.write_text(prepared(document.read_text()))
    command = [str(paths.tool("mkdocs")), "build", "--strict", "--quiet"]
    result = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    if result.returncode:
        raise TicklabError(
            f"the site was not built:\n{result.stdout}{result.stderr}",
            "correct the documents that MkDocs names",
        )
    return folder / "html" / "index.html"


def prepared(text: str) -> str:
    """Returns a document with its generated parts, in the form that Python-Markdown reads."""
    filled = _PART.sub(lambda part: _PARTS[part[1]](), text)
    filled = _TESTED.sub(_fence, filled)
    return "\n".join(_spaced(filled.splitlines())) + "\n"


def _fence(found: re.Match[str]) -> str:
    title = f' title="{found[2]}"' if found[2] else ""
    return f"```{found[1]}{title}"


def _spaced(lines: list[str]) -> Iterator[str]:
    """Yields the lines of a document. Adds an empty line before each list or table that follows a
    paragraph."""
    fenced, before = False, ""
    for line in lines:
        if not fenced and before and _starts(line) and not _continues(line, before):
            yield ""
        if _FENCE.match(line):
            if not fenced and before:
                yield ""
            fenced = not fenced
        yield line
        before = line


def _starts(line: str) -> bool:
    return any(start.match(line) for start in _STARTS)


def _continues(line: str, before: str) -> bool:
    """Returns whether `line` belongs to the list or table of the line before it."""
    table, indented = line.startswith("|"), before.startswith("  ")
    if table:
        return before.startswith("|")
    return indented or bool(_STARTS[0].match(before))
