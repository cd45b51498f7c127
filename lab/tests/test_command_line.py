# SPDX-License-Identifier: MIT
"""Tests the command line: commands, help and errors. Every error is one line and an exit status."""

import argparse
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from ticklab import __version__, cli, commands, paths
from ticklab.bootstrap.steps import STEPS
from ticklab.errors import TicklabError

ENTRY = paths.CHECKOUT / "ticklab"


def ticklab(*words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Runs the program `ticklab` as a user does."""
    return subprocess.run(
        [ENTRY, *words], capture_output=True, text=True, env={**os.environ, **environment}
    )


@pytest.fixture
def extra_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Adds a command `raiser`, one more file in a folder of commands, which raises the exception
    that its argument names."""
    (tmp_path / "raiser.py").write_text(
        "HELP = 'raise'\n"
        "NEEDS = ()\n"
        "def configure(parser): parser.add_argument('what')\n"
        "def run(arguments): exec(arguments.what)\n"
    )
    monkeypatch.setattr(commands, "__path__", [*commands.__path__, str(tmp_path)])
    monkeypatch.delitem(sys.modules, "ticklab.commands.raiser", raising=False)
    return tmp_path


def failing(what: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    status = cli.main(["raiser", what])
    return status, capsys.readouterr().err


def test_help_needs_no_set_up(tmp_path: Path) -> None:
    home = tmp_path / "no home"
    for words in (["--help"], ["test", "--help"], ["doctor", "--help"]):
        answer = ticklab(*words, TICKLAB_HOME=str(home))
        assert answer.returncode == 0
        assert "usage: ticklab" in answer.stdout
    version = ticklab("--version", TICKLAB_HOME=str(home))
    assert (version.returncode, version.stdout) == (0, f"ticklab {__version__}\n")
    assert not home.exists()


def test_without_a_command_the_answer_is_a_short_help(tmp_path: Path) -> None:
    home = tmp_path / "no home"
    answer = ticklab(TICKLAB_HOME=str(home))
    assert (answer.returncode, answer.stderr) == (0, "")
    named = re.findall(r"^  ticklab ([a-z-]+)", answer.stdout, re.MULTILINE)
    assert {"run", "doctor", "--help"} <= set(named)
    assert set(named) - {"--help"} <= set(cli._commands())
    assert len(answer.stdout.splitlines()) < 12
    assert not home.exists()


def arguments(parser: argparse.ArgumentParser) -> Iterator[tuple[str, argparse.Action]]:
    """Walks a parser and the parsers of its actions; yields each argument with its command."""
    for action in parser._actions:
        yield parser.prog, action
        if isinstance(action, argparse._SubParsersAction):
            for each in action.choices.values():
                yield from arguments(each)


def test_every_argument_has_help_that_names_its_default() -> None:
    parser, _ = cli._parser(cli._commands())
    walked = list(arguments(parser))
    assert len(walked) > 100
    for command, action in walked:
        name = f"{command} {action.option_strings or action.metavar}"
        assert action.help, f"{name} has no help"
        has_default = action.default not in (None, False, "", argparse.SUPPRESS)
        takes_value = action.nargs != 0 and not action.required
        if has_default and takes_value:
            assert "default" in action.help, f"the help of {name} names no default"


def test_an_option_has_the_same_names_in_every_command() -> None:
    parser, _ = cli._parser(cli._commands())
    names: dict[str, dict[str, list[str]]] = {}
    for command, action in arguments(parser):
        for name in action.option_strings:
            forms = names.setdefault(name, {})
            forms.setdefault(" ".join(action.option_strings), []).append(command)
    assert {"-o", "--output", "--json"} <= set(names)
    differing = {name: forms for name, forms in names.items() if len(forms) > 1}
    assert not differing


def test_an_option_takes_the_same_kind_of_value_in_every_command() -> None:
    """Two options count as the same kind if commands describe their value with the same word."""
    parser, _ = cli._parser(cli._commands())
    called: dict[str, list[set[str]]] = {}
    for _command, action in arguments(parser):
        own = action.metavar or sorted(map(str, action.choices or ["no value"]))
        words = set(re.findall(r"[A-Z]+|[a-z ]+", str(own)))
        for name in action.option_strings:
            kinds = called.setdefault(name, [])
            kin = [kind for kind in kinds if kind & words]
            called[name] = [kind for kind in kinds if kind not in kin] + [words.union(*kin)]
    assert len(called["--board"]) == 1
    assert {name: kinds for name, kinds in called.items() if len(kinds) > 1} == {}


def test_a_flag_of_many_values_that_is_given_twice_has_all() -> None:
    parser = cli.Parser()
    parser.add_argument("--param", nargs="+", default=["of the suite"])
    parser.add_argument("--level", default="O2")
    for words, params in (
        ([], ["of the suite"]),
        (["--param", "a", "b"], ["a", "b"]),
        (["--param", "a", "b", "--level", "Os", "--param", "c"], ["a", "b", "c"]),
    ):
        assert parser.parse_args(words).param == params
    assert parser.parse_args(["--level", "O0", "--level", "Os"]).level == "Os"


def test_help_imports_nothing_that_must_be_installed() -> None:
    code = (
        "import sys; from ticklab import cli; cli._parser(cli._commands()); "
        "print(*{'numpy', 'duckdb', 'rich', 'jinja2', 'elftools'} & set(sys.modules))"
    )
    source = str(paths.CHECKOUT / "lab" / "src")
    answer = subprocess.run(
        [sys.executable, "-P", "-c", code],
        env={**os.environ, "PYTHONPATH": source},
        capture_output=True,
        text=True,
    )
    assert (answer.stdout.strip(), answer.stderr) == ("", "")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["docter"], "no command 'docter'; did you mean doctor"),
        (["doctor", "--jsn"], "no option '--jsn'"),
        (["doctor", "now"], "'ticklab doctor' takes no 'now'; see 'ticklab doctor --help'"),
        (["--hlep"], "no option '--hlep'; did you mean --help"),
        (["--"], "--help"),
        (["--hlep", "doctor"], "no option '--hlep'; did you mean --help"),
        (["run", "--kernl", "rt"], "no option '--kernl'; did you mean --kernel or --help?"),
        (["test", "rust-lnit"], "no test 'rust-lnit'; did you mean rust-lint"),
    ],
)
def test_wrong_use_is_one_line_and_status_2(words: Sequence[str], message: str) -> None:
    answer = ticklab(*words)
    assert answer.returncode == 2
    assert answer.stdout == ""
    assert answer.stderr.startswith("ticklab: error: ")
    assert message in answer.stderr
    assert answer.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("what", "status", "message"),
    [
        ("from ticklab.errors import *; raise TicklabError('a', 'b')", 1, "error: a; b"),
        ("from ticklab.errors import *; raise UsageError('a')", 2, "error: a"),
        ("open('/nowhere/x')", 1, "error: /nowhere/x: No such file or directory"),
        ("raise ValueError('a\\nb')", 1, "fault in ticklab (ValueError: a); set TICKLAB_DEBUG=1"),
        ("raise KeyboardInterrupt", 130, "interrupted"),
    ],
)
def test_errors_are_one_line(
    extra_command: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    what: str,
    status: int,
    message: str,
) -> None:
    monkeypatch.delenv("TICKLAB_DEBUG", raising=False)
    found, line = failing(what, capsys)
    assert (found, line.count("\n")) == (status, 1)
    assert message in line


def test_debugging_shows_where(
    extra_command: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TICKLAB_DEBUG", "1")
    assert "Traceback" in failing("raise ValueError", capsys)[1]


def test_nobody_reading_is_no_error() -> None:
    with subprocess.Popen(
        [ENTRY, "doctor"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout
        assert process.stderr
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait() == 128 + signal.SIGPIPE


def test_entry_works_through_a_link_and_from_elsewhere(tmp_path: Path) -> None:
    link = tmp_path / "a link"
    link.symlink_to(ENTRY)
    (tmp_path / "argparse.py").write_text("raise SystemExit('the wrong argparse')")
    answer = subprocess.run([link, "--help"], cwd=tmp_path, capture_output=True, text=True)
    assert answer.returncode == 0


def test_entry_without_python_says_so(tmp_path: Path) -> None:
    for name in ("dirname", "readlink"):
        (tmp_path / name).symlink_to(f"/usr/bin/{name}")
    bare = {"PATH": str(tmp_path), "TICKLAB_HOME": str(tmp_path), "TICKLAB_NO_INSTALL": "1"}
    for words in (["--help"], ["run"]):
        answer = subprocess.run(
            ["/bin/sh", ENTRY, *words], env=bare, capture_output=True, text=True
        )
        assert answer.returncode == 1
        assert "install Python 3.11 or later" in answer.stderr
        assert answer.stderr.count("\n") == 1


def test_every_command_says_what_it_is() -> None:
    found = cli._commands()
    assert {"doctor", "test"} <= set(found)
    for command in found.values():
        assert command.HELP
        command.configure(argparse.ArgumentParser())
        assert set(getattr(command, "NEEDS", ())) <= {step.name for step in STEPS}


def test_wrong_use_is_a_ticklab_error() -> None:
    with pytest.raises(TicklabError):
        cli.Parser(prog="x").parse_args(["--y"])
