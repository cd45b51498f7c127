#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes all files that are generated from the tables of system calls in core/calls.

`--check` writes nothing, and fails if a file is not current.
"""

from __future__ import annotations

import argparse
import sys
import textwrap
import tomllib
from collections.abc import Iterator
from pathlib import Path

from calls_table import METHODS, TABLE, Calls, Method, Object, TableError, read

BULKHEAD = Path(__file__).resolve().parents[1]
COLUMNS = 100
MODEL = "model"

# --- Text -----------------------------------------------------------------------------------------


def _header(comment: str, mark: str = "//") -> str:
    lines = textwrap.wrap(f"{comment} Written from core/calls by tools/calls.py.", 96)
    return "\n".join((f"{mark} SPDX-License-Identifier: MIT", mark, *_comment(lines, mark), ""))


def _comment(lines: list[str], mark: str = "//") -> Iterator[str]:
    yield from (f"{mark} {line}" for line in lines)


def _guarded(guard: str, comment: str, body: str) -> str:
    return f"{_header(comment)}#ifndef {guard}\n#define {guard}\n\n{body.strip()}\n\n#endif\n"


def _rule(title: str) -> str:
    return f"// --- {title} {'-' * (COLUMNS - 8 - len(title))}"


def _packed(head: str, parts: list[str], end: str, align: int) -> str:
    """Returns a list in C with as many parts in each line as fit, as clang-format breaks lines."""
    lines, line = [], head
    for index, part in enumerate(parts):
        word = part + (end if index == len(parts) - 1 else ",")
        gap = "" if line.endswith("(") or not line.strip() else " "
        if len(line) + len(gap) + len(word) > COLUMNS:
            lines.append(line)
            line, gap = " " * align, ""
        line += gap + word
    return "\n".join((*lines, line))


def _signature(result: str, name: str, parameters: list[str], end: str) -> str:
    head = f"{result}{'' if result.endswith('*') else ' '}{name}("
    text = _packed(head, parameters, f"){end}", len(head))
    if text.count("\n") > 1 or max(map(len, text.splitlines())) > COLUMNS:
        head = f"{name}("
        return f"{result}\n{_packed(head, parameters, f'){end}', len(head))}"
    return text


# --- Numbers of methods ---------------------------------------------------------------------------

_NUMBERS = """\
// Expands a macro and makes a string literal of the result.
#define BULKHEAD_TEXT(macro) BULKHEAD_TEXT_(macro)
#define BULKHEAD_TEXT_(macro) #macro

// The calling thread: the first right of every process. Threads come after it.
#define BULKHEAD_SELF 0
#define BULKHEAD_FIRST_THREAD 1

// The number of methods in a table of any kind of object, and the bytes of a right; both are powers
// of two.
#define BULKHEAD_METHODS {methods}
#define BULKHEAD_RIGHT_BYTES 8

// The number of bytes of a stack that one call of stack_left examines for marks.
#define BULKHEAD_MARKS_AT_ONCE 64
"""


def numbers(calls: Calls) -> str:
    lines = [_NUMBERS.format(methods=METHODS)]
    for kind in calls.objects:
        lines += [f"#define {each.constant} {each.number}" for each in kind.methods] + [""]
    comment = (
        "The numbers of the methods of each kind of object, for C and for assembler. A system call "
        "has a handle, which is an index into the process's table of rights, and a method of the "
        "object of that right. svc.h has the registers."
    )
    return _guarded("BULKHEAD_METHODS_H", comment, "\n".join(lines))


# --- The application's functions ------------------------------------------------------------------

# Results after which a caller does not have what it asked for. A call with such a result is
# declared BULKHEAD_MUST_USE.
_MATTERS = frozenset(("TIMED_OUT", "DENIED", "PEER_LOST"))


_REPORTS = """\
struct bulkhead_fault;        // fault.h
struct bulkhead_record_entry; // record.h
"""


def wrappers(calls: Calls) -> str:
    lines = []
    for kind in calls.objects:
        public = [each for each in kind.methods if each.function]
        if public:
            lines += [_rule(kind.title), *_comment(textwrap.wrap(kind.text, 96)), ""]
            lines += [_wrapper(kind, each) for each in public]
    lines.insert(0, _REPORTS)
    title = (
        "The system calls, which bulkhead.h includes. A comment names the results other than OK in "
        'capitals: "REFUSED if ..." says when the call returns BULKHEAD_REFUSED.'
    )
    return _guarded("BULKHEAD_CALLS_H", title, "\n".join(lines))


def _wrapper(kind: Object, method: Method) -> str:
    """Returns the function of a call. If the object may be local, returns the function for the
    kernel's object and a macro that selects it or the function for a local object."""
    own = [] if kind.name == "self" else [f"uint32_t {kind.name}"]
    inout = [each.startswith("inout ") for each in method.values]
    values = [each.removeprefix("inout ") for each in method.values]
    parameters = own + [
        each.replace(" ", " *", 1) if is_inout else each
        for each, is_inout in zip(values, inout, strict=True)
    ]
    name = _kernel_name(method)
    must_use = "BULKHEAD_MUST_USE " if _MATTERS.intersection(method.errors) else ""
    result = f"{must_use}BULKHEAD_INLINE {method.result}"
    head = _signature(result, name, parameters or ["void"], " {")
    body = method.body.strip("\n") or _body(kind, method, values, any(inout))
    comment = "\n".join(_comment(textwrap.wrap(method.text, 96)))
    text = f"{head}\n{body}\n}}\n"
    if not method.local:
        return f"{comment}\n{text}"
    return f"{text}\n{comment}\n{_generic(kind, method, [p.split()[-1] for p in parameters])}"


def _kernel_name(method: Method) -> str:
    if not method.local:
        return method.function
    return method.function.replace("bulkhead_", "bulkhead_kernel_", 1)


def _body(kind: Object, method: Method, values: list[str], is_exchange: bool) -> str:
    handle = "BULKHEAD_SELF" if kind.name == "self" else kind.name
    words = [handle, method.constant, *(_word(each) for each in values)]
    if kind.name == "self" and method.result == "void":
        return f"    bulkhead_call_self({method.constant});"
    call = "exchange" if is_exchange else "call"
    suffix = f"_{len(values)}" if values else ""
    head = f"    return bulkhead_{call}{suffix}("
    return _packed(head, words, ");", len(head))


def _word(value: str) -> str:
    name = value.split()[-1]
    return f"(uint32_t){name.lstrip('*')}" if name.startswith("*") else name


def _generic(kind: Object, method: Method, names: list[str]) -> str:
    names = [each.lstrip("*") for each in names]
    local = method.function.replace("bulkhead_", "bulkhead_local_", 1)
    head = f"#define {method.function}({', '.join(names)})"
    rows = [
        head,
        f"    BULKHEAD_CHOOSE({names[0]}, struct bulkhead_{kind.name}, {local},",
        f"                    {_kernel_name(method)})",
        f"    ({', '.join(f'({each})' for each in names)})",
    ]
    width = max(map(len, rows[:-1])) + 1
    return "\n".join((*(f"{row:<{width}}\\" for row in rows[:-1]), rows[-1], ""))


# --- The kernel -----------------------------------------------------------------------------------


def prototypes(calls: Calls) -> str:
    lines = [
        '#include "kernel.h"',
        '#include "objects.h"',
        "#include <bulkhead/methods.h>",
    ]
    for kind in calls.objects:
        lines += ["", f"// {kind.title}."]
        rows = {name: each for each in kind.methods for name in each.work}
        for name, method in rows.items():
            parameters = _parameters(kind, method.takes_frame)
            lines.append(_signature("MUST_USE struct thread *", name, parameters, ";"))
    comment = (
        "Every system call is one function, a method of an object. It gets the object and, if it "
        "has arguments, the frame of the caller, and returns the thread to run next, or NO_SWITCH. "
        "The result in the frame is BULKHEAD_OK unless the method sets another by kernel_fail."
    )
    return _guarded("KERNEL_METHODS_H", comment, "\n".join(lines))


def _parameters(kind: Object, takes_frame: bool) -> list[str]:
    own = f"{kind.type}{kind.name}" if kind.type else "void *unused"
    if takes_frame:
        return [own, "struct arch_frame *frame"]
    return [own] if kind.type else ["void"]


def externs(calls: Calls) -> str:
    lines = [
        _packed(
            "extern const struct methods",
            [f"{right}_methods" for right in (*kind.rights, *kind.apart)],
            ";",
            4,
        )
        for kind in calls.objects
    ]
    comment = "The tables of methods that a right may point to: arch/*/method_tables.inc."
    body = "\n".join(("struct methods;", "", "extern const struct methods no_methods;", *lines))
    return _guarded("KERNEL_METHOD_TABLES_H", comment, body)


def tables(calls: Calls, architecture: str) -> str:
    comment = (
        "The tables of methods that rights point to: for each, the labels of the assembler files "
        "by the numbers of bulkhead/methods.h."
    )
    lines = [_header(comment), "    METHODS no_methods"]
    for kind in calls.objects:
        lines += [
            _table(calls, kind, right, architecture, kind.rights[right], kind.option(right))
            for right in kind.rights
        ]
    lines += ["", "#if KERNEL_HAS_RIGHTS_APART"]
    for kind in calls.objects:
        lines += [
            _table(calls, kind, right, architecture, kind.apart[right], "") for right in kind.apart
        ]
    return "\n".join((*lines, "#endif", ""))


def _table(
    calls: Calls, kind: Object, right: str, architecture: str, entries: list[str], option: str
) -> str:
    labels = {
        kind.method(each.partition(":")[0]).number: calls.label(kind, each, architecture)
        for each in entries
    }
    row = [labels.get(number, "denied") for number in range(max(labels) + 1)]
    return "\n".join(_optional(option, _rows(f"    METHODS {right}_methods,", row)))


def _optional(option: str, line: str) -> list[str]:
    """Returns a line of a generated file inside `#if`, so that it is compiled only if the system
    has the option."""
    return [f"#if KERNEL_HAS_{option}", line, "#endif"] if option else [line]


def _rows(head: str, words: list[str]) -> str:
    """Returns the arguments of an assembler macro as lines of a generated file, each with a
    backslash at its end."""
    text = _packed(head, words, "", 12).split("\n")
    return " \\\n".join(text)


def entries(calls: Calls, architecture: str) -> str:
    """Returns the entries to the methods, sorted by their kind: those that branch to the switch
    with a short branch come last, near its code."""
    comment = "The entries to the methods in C, for entry.S."
    rows: dict[str, list[str]] = {"compact": [], "deferring": [], "words": [], "switching": []}
    for kind in calls.objects:
        for method in kind.methods:
            if architecture not in method.by_hand:
                macro = _macro(method, architecture)
                rows[method.entry] += [
                    "\n".join(_optional(method.option, f"    {macro} {name}"))
                    for name in method.work
                ]
    lines = dict.fromkeys(line for each in rows.values() for line in each)
    return "\n".join((_header(comment), *lines, ""))


def _macro(method: Method, architecture: str) -> str:
    if method.entry == "deferring" and architecture == "rv32":
        return "COMPACT_METHOD"
    if method.entry == "switching" and architecture == "rv32":
        return "ARGUMENT_METHOD" if method.takes_frame else "METHOD"
    return f"{method.entry.upper()}_METHOD"


# --- The model ------------------------------------------------------------------------------------


def dispatch(calls: Calls) -> str:
    comment = "The methods of each kind of object by their numbers, for the model."
    lines = [_header(comment)]
    for kind in calls.objects:
        rows = _cases(calls, kind)
        if rows:
            own = _parameters(kind, takes_frame=True)
            parameters = [*own, "uint32_t method"]
            name = f"dispatch_{kind.name}"
            lines += [
                _signature("static inline struct thread *", name, parameters, " {"),
                *([] if kind.type else ["    (void)unused;"]),
                "    (void)frame;",
                "    switch (method) {",
                *rows,
                "    default:",
                "        abort();",
                "    }",
                "}",
                "",
            ]
    return "\n".join(lines)


def _cases(calls: Calls, kind: Object) -> list[str]:
    labels = {each.partition(":")[0]: each for each in next(iter(kind.rights.values()))}
    lines = []
    for method in kind.methods:
        if len(method.work) == 1 and MODEL not in method.not_in:
            label = calls.label(kind, labels.get(method.name, method.name), MODEL)
            name = label.removeprefix("enter_")
            own = [kind.name] if kind.type else (["NULL"] if method.takes_frame else [])
            words = ", ".join((*own, *(["frame"] if method.takes_frame else [])))
            lines += [
                f"    case {method.constant}:",
                f"        return {name}({words});",
            ]
    return lines


# --- The reference --------------------------------------------------------------------------------

_REFERENCE = BULKHEAD.parent / "docs" / "reference" / "bulkhead-calls.md"
_MARK = "<!-- Written from bulkhead/core/calls by bulkhead/tools/calls.py from here on. -->\n"


def reference(calls: Calls) -> str:
    """Returns the reference page: the introduction, which is the present page up to the mark, and
    then a section for all calls."""
    lines = [_REFERENCE.read_text().partition(_MARK)[0] + _MARK]
    for kind in calls.objects:
        public = [each for each in kind.methods if each.function]
        if public:
            lines += [f"## {kind.title}", _paragraph(kind.text), ""]
            lines += ["| call | right | cost | results |", "|---|---|---|---|"]
            lines += [_row(kind, each) for each in public] + [""]
            lines += [_paragraph(f"- `{each.function}`: {each.text}", "  ") for each in public]
            lines.append("")
    return "\n".join(lines).rstrip() + "\n"


def _paragraph(text: str, indent: str = "") -> str:
    return "\n".join(textwrap.wrap(text, 118, subsequent_indent=indent, break_long_words=False))


def _row(kind: Object, method: Method) -> str:
    own = [] if kind.name == "self" else [kind.name]
    names = [*own, *(each.removeprefix("inout uint32_t ") for each in method.values)]
    names = [each.split()[-1].removesuffix("[4]") for each in names]
    cost = f"local; {method.cost}" if method.local else method.cost
    results = ", ".join(f"`{each}`" for each in method.errors) or "-"
    right = f"`{method.right}`" if method.right else "-"
    arguments = ", ".join(each.lstrip("*") for each in names)
    return f"| `{method.function}({arguments})` | {right} | {cost} | {results} |"


# --------------------------------------------------------------------------------------------------


def files(calls: Calls) -> dict[str, str]:
    """Returns the text of every generated file, by its path relative to bulkhead/."""
    written = {
        "include/bulkhead/methods.h": numbers(calls),
        "include/bulkhead/calls.h": wrappers(calls),
        "core/methods.h": prototypes(calls),
        "core/method_tables.h": externs(calls),
        "test/model/dispatch.inc": dispatch(calls),
        "../docs/reference/bulkhead-calls.md": reference(calls),
    }
    for architecture in calls.fast_paths:
        if architecture != MODEL:
            written[f"arch/{architecture}/method_tables.inc"] = tables(calls, architecture)
            written[f"arch/{architecture}/method_entries.inc"] = entries(calls, architecture)
    return written


def outdated(written: dict[str, str]) -> list[str]:
    """Returns the files whose contents differ from the generated text."""
    return [
        name
        for name, text in written.items()
        if not (BULKHEAD / name).is_file() or (BULKHEAD / name).read_text() != text
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--check",
        action="store_true",
        help="write nothing; fail if a generated file is not current",
    )
    options = parser.parse_args()
    try:
        written = files(read())
    except (TableError, tomllib.TOMLDecodeError) as error:
        sys.exit(f"error: {TABLE}: {error}")
    old = outdated(written)
    if options.check and old:
        sys.exit(f"error: not made from core/calls as it is: {', '.join(old)}; run tools/calls.py")
    for name in old:
        (BULKHEAD / name).write_text(written[name])


if __name__ == "__main__":
    main()
