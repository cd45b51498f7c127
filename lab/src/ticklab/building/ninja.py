# SPDX-License-Identifier: MIT
"""Writes a build.ninja, runs Ninja on it, and reports which outputs failed and why.

A build consists of parts that can be built at the same time. Each part has a folder for its build
file, Ninja's state and the log. Paths of outputs are relative to the folder of builds.
"""

from __future__ import annotations

import re
import shlex
import subprocess
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from ticklab import paths
from ticklab.building.edge import Edge
from ticklab.building.toolchain import Toolchain
from ticklab.errors import TicklabError

Progress = Callable[[int, int], None]  # commands done, commands in total

_RULES = """\
ninja_required_version = 1.10
builddir = {part}

rule compile
  command = {compiler} $flags {added} -MD -MF $out.d -c $in -o $out
  deps = gcc
  depfile = $out.d
  description = compile $out

pool cargo
  depth = 1

rule cargo
  command = env $flags && cp $product $out
  pool = cargo
  description = build $out

rule macros
  command = {compiler} $flags {added} -E -dD -x c $in -MD -MF $out.d -MT $out -o $out
  deps = gcc
  depfile = $out.d
  description = list $out

rule generate
  command = {python} $flags --scenario $in --depfile $in.generated.d $out
  deps = gcc
  depfile = $in.generated.d
  description = generate $out

rule close
  command = {python} $flags --linker={linker} --output=$out $in
  description = close $out

rule join
  command = {linker} $flags {link_added} -Wl,-Map=$out.map $in -o $out
  description = join $out

rule link
  command = {linker} $flags {link_added} $in -o $image
  description = link $image

rule link_checked
  command = {linker} $flags {link_added} $in -o $image && {python} $check $image
  description = link $image
"""

_STATUS = re.compile(r"\[(\d+)/(\d+)\] ")
_FAILED = re.compile(r"FAILED: (?:\[code=\d+\] )?(\S+)")
# Matches an error of the compiler or the linker, and the message of an assertion in a linker
# script, but no warning.
_REASON = re.compile(
    r"\b(?:fatal )?error(?:\[E\d+\])?: |undefined (?:reference|symbol)|multiple definition"
    r"|overflowed|will not fit"
    r"|\bld(?:\.\w+)?: (?!.*(?:warning: |in function |(?:first )?defined here))"
)
# Matches a message of a compiler or of cargo that another program has failed. The other program's
# own message precedes it.
_NO_REASON = re.compile(r"ld returned \d+|linker command failed|error: could not compile `")


def manifest(edges: Iterable[Edge], toolchain: Toolchain, part: str) -> str:
    """Returns the text of a build.ninja for the folder `part`. Writes an edge once if several cases
    share it."""
    rules = _RULES.format(
        part=_path(part),
        compiler=_word(str(toolchain.compiler)),
        added=" ".join(_word(flag) for flag in toolchain.added),
        linker=_word(str(toolchain.linker)),
        link_added=" ".join(_word(flag) for flag in toolchain.added_to_links),
        python=_word(str(toolchain.python)),
    )
    unique = {edge.output: edge for edge in edges}
    return rules + "".join(_statement(edge) for edge in unique.values())


def run(
    part: str, text: str, toolchain: Toolchain, progress: Progress, jobs: int | None
) -> dict[str, str]:
    """Runs Ninja on the folder `part`, which the caller has locked. Returns the outputs that could
    not be built, each with the first error message."""
    file = paths.builds() / part / "build.ninja"
    if not file.exists() or file.read_text() != text:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    command: list[str | Path] = [toolchain.ninja, "-C", paths.builds(), "-f", file, "-k", "0"]
    command += ["-j", str(jobs)] if jobs else []
    return _failures(log_of(part), _output(command, log_of(part), progress))


def log_of(part: str) -> Path:
    """Returns the path of the log of a part's newest build."""
    return paths.builds() / part / "build.log"


def failures(output: str) -> dict[str, str]:
    """Returns the outputs that failed, with their reasons, from the text that Ninja printed."""
    found: dict[str, str] = {}
    for block in re.split(r"^(?=FAILED: )", output, flags=re.MULTILINE)[1:]:
        head, *rest = block.splitlines()
        match = _FAILED.match(head)
        if match:
            found[match[1]] = _reason(rest[1:])  # the first line is the command
    return found


def _reason(lines: list[str]) -> str:
    """Returns the first line that names the error, from the output of a failed command."""
    of_command = [line for line in _until_status(lines) if line.strip()]
    own = [line for line in of_command if not _NO_REASON.search(line)]
    telling = [line for line in own if _REASON.search(line)]
    return (telling or own or of_command or ["no reason given"])[0].strip()


def _until_status(lines: list[str]) -> Iterator[str]:
    for line in lines:
        if _STATUS.match(line) or line.startswith("ninja: "):
            return
        yield line


def _failures(log: Path, output: str) -> dict[str, str]:
    found = failures(output)
    broken = re.search(r"^ninja: error: (.*)$", output, flags=re.MULTILINE)
    if broken and not found:
        raise TicklabError(f"the build cannot start: {broken[1]}", f"see {log}")
    return found


def _output(command: list[str | Path], file: Path, progress: Progress) -> str:
    lines = []
    with _process(command) as process, file.open("w") as log:
        assert process.stdout
        for line in process.stdout:
            log.write(line)
            lines.append(line)
            if status := _STATUS.match(line):
                progress(int(status[1]), int(status[2]))
    return "".join(lines)


@contextmanager
def _process(command: list[str | Path]) -> Iterator[subprocess.Popen[str]]:
    """Runs Ninja. Terminates it and its compilers when the block ends, also after an exception."""
    try:
        process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace"
        )
    except OSError as error:
        raise TicklabError(f"ninja: {error.strerror}", "run './ticklab doctor'") from None
    with process:
        try:
            yield process
        finally:
            process.terminate()


def _statement(edge: Edge) -> str:
    inputs = " ".join(_path(file) for file in edge.inputs)
    depends = "".join(f" {_path(file)}" for file in edge.depends)
    implicit = f" |{depends}" if depends else ""
    words = " ".join(_word(flag) for flag in edge.flags)
    outputs = " ".join(_path(file) for file in (edge.output, *edge.others))
    check = " ".join(_word(word) for word in edge.check)
    variables = {"flags": words, "image": _path(edge.output), "check": check}
    if edge.product:
        variables["product"] = _word(str(edge.product))
    lines = "".join(f"  {name} = {value}\n" for name, value in variables.items() if value)
    return f"\nbuild {outputs}: {edge.rule} {inputs}{implicit}\n{lines}"


def _path(path: Path | str) -> str:
    """Escapes a file name for Ninja."""
    return re.sub(r"([$ :])", r"$\1", str(path))


def _word(word: str) -> str:
    """Quotes one word of a command for the shell that Ninja uses."""
    return shlex.quote(word).replace("$", "$$")
