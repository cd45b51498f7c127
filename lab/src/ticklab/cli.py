# SPDX-License-Identifier: MIT
"""The command line: finds the command, runs the steps of the set-up that the command needs, runs
the command, and prints each error as one line.

A command is a module in ticklab/commands and needs no edit here. A command has `HELP`,
`configure(parser)` and `run(arguments) -> exit status`; `arguments.command_line` holds the words
that the user typed. `NEEDS` names the steps of the set-up that the command needs (default: all);
`needs(arguments)` returns them if they depend on the arguments. The boards that the arguments name
may add steps. Help is printed before any set-up, and nothing is installed after it.
"""

from __future__ import annotations

import argparse
import importlib
import os
import pkgutil
import re
import signal
import sys
import traceback
from collections.abc import Callable, Sequence
from typing import Any, NoReturn, Protocol, cast

from ticklab import __version__, bootstrap, commands, names, plain_text
from ticklab.bootstrap import tables
from ticklab.commands import completion
from ticklab.errors import TicklabError, UsageError

DESCRIPTION = (
    "Measures the cost of operations of real-time kernels, and states how certain each figure is."
)

NEXT = """\
Start with:
  ticklab run --kernel freertos rt    measure two kernels; the first run also sets up the tools
  ticklab list kernels                list the kernels that can be measured
  ticklab doctor                      check the tools on this machine; changes nothing
  ticklab --help                      list all commands, with examples
"""

EXAMPLES = """\
examples:
  ticklab run                                  every kernel, Thread-Metric, the default board
  ticklab run --kernel freertos --scenario synchronization --optimise best
  ticklab list kernels                         the kernels that can be measured, with facts
  ticklab compare freertos rt                  which is faster, and whether that is certain
  ticklab observe image.elf --call xQueueGenericSend       each call of a function in any image
  ticklab profile image.elf                    where the instructions of any image go

Ticklab writes only to .ticklab beside the sources, or to ticklab in your cache if it is installed
($TICKLAB_HOME names another folder).
Exit status: 0 ok; 1 a measurement failed or left its permitted range; 2 wrong use; 3 regression
(only 'gate').
'ticklab COMMAND --help' describes a command.
"""


class Command(Protocol):
    HELP: str

    def configure(self, parser: argparse.ArgumentParser) -> None: ...

    def run(self, arguments: argparse.Namespace) -> int: ...


class Parser(argparse.ArgumentParser):
    """The parser of the command line. Differs from argparse in three ways: an error is one line,
    flags cannot be abbreviated, and a flag of several values that is given twice keeps the values
    of both."""

    def __init__(self, **options: Any) -> None:
        options.setdefault("formatter_class", argparse.RawDescriptionHelpFormatter)
        super().__init__(allow_abbrev=False, **options)
        self.register("action", None, _Store)

    def error(self, message: str) -> NoReturn:
        raise UsageError(message, f"see '{self.prog} --help'")


class _Store(argparse.Action):
    """Stores the value of an option. If an option that takes several values is given again, appends
    the values."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: Any,
        option_string: str | None = None,
    ) -> None:
        before = getattr(namespace, self.dest)
        if option_string and isinstance(values, list) and before is not self.default:
            values = [*before, *values]
        setattr(namespace, self.dest, values)


def main(words: Sequence[str]) -> int:
    """Runs one command line and returns its exit status."""
    plain_text.degrade_output()
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, _end_by_signal)
    return _explained(lambda: _run(words))


def console() -> int:
    """Runs the command line of an installed Ticklab; its installer calls this function."""
    return main(sys.argv[1:])


def _run(words: Sequence[str]) -> int:
    found = _commands(words[:1])
    parser, parsers = _parser(found)
    if completion.ASKED in os.environ:
        completion.answer(parser)
    if not words:
        print(DESCRIPTION, NEXT, sep="\n\n", end="")
        return 0
    if not words[0].startswith("-") and words[0] not in found:
        raise names.unknown("command", words[0], found)
    arguments, rest = parser.parse_known_args(words)
    if rest:
        raise _unknown_argument(rest[0], parsers.get(arguments.command, parser))
    if arguments.command is None:
        parser.error("no command is named")
    arguments.command_line = ("ticklab", *words)
    command = found[arguments.command]
    bootstrap.ensure(_needs(command, arguments), words, arguments.yes)
    status = command.run(arguments)
    sys.stdout.flush()
    return status


def _needs(command: Command, arguments: argparse.Namespace) -> list[str]:
    """Returns the steps of the set-up that the command needs with these arguments."""
    if hasattr(command, "needs"):
        needs = list(command.needs(arguments))
    else:
        needs = list(getattr(command, "NEEDS", bootstrap.EVERYTHING))
    if "system" in needs:
        boards = getattr(arguments, "board", None) or []
        kernels = getattr(arguments, "kernel", None) or []
        suites = getattr(arguments, "suite", None) or []
        needs += tables.needs(
            [boards] if isinstance(boards, str) else boards,
            [kernels] if isinstance(kernels, str) else kernels,
            [suites] if isinstance(suites, str) else suites,
        )
    return needs


def _commands(named: Sequence[str] = ()) -> dict[str, Command]:
    """Imports the modules of the commands in `named`, or all if none of these is a command."""
    modules = sorted(module.name for module in pkgutil.iter_modules(commands.__path__))
    wanted = [name for name in modules if name in named] or modules
    return {
        name: cast(Command, importlib.import_module(f"ticklab.commands.{name}")) for name in wanted
    }


def parsers() -> dict[str, Parser]:
    """Returns the parser of each command."""
    return _parser(_commands())[1]


def parser() -> Parser:
    """Returns the parser of the whole command line."""
    return _parser(_commands())[0]


def _parser(found: dict[str, Command]) -> tuple[Parser, dict[str, Parser]]:
    parser = Parser(prog="ticklab", description=DESCRIPTION, epilog=EXAMPLES)
    parser.add_argument(
        "--version",
        action="version",
        version=f"ticklab {__version__}",
        help="print the version and exit",
    )
    _add_yes(parser, default=False)
    choices = parser.add_subparsers(
        dest="command", metavar="COMMAND", help="one of these commands:"
    )
    parsers = {}
    for name, command in found.items():
        parsers[name] = choices.add_parser(name, help=command.HELP, description=command.HELP)
        command.configure(parsers[name])
        _add_yes(parsers[name], default=argparse.SUPPRESS)
    return parser, parsers


def _add_yes(parser: Parser, default: Any) -> None:
    """Adds the flag --yes, which may be before or after the name of the command."""
    parser.add_argument(
        "--yes",
        action="store_true",
        default=default,
        help="install what is missing without a question (default: ask on a terminal)",
    )


def _unknown_argument(word: str, parser: Parser) -> UsageError:
    if word.startswith("-"):
        return names.unknown("option", word, set(re.findall(r"--[a-z-]+", parser.format_help())))
    return UsageError(f"'{parser.prog}' takes no '{word}'", f"see '{parser.prog} --help'")


def _explained(action: Callable[[], int]) -> int:
    """Runs `action` and returns its exit status. Prints an error as one line."""
    try:
        return action()
    except TicklabError as error:
        _say(f"error: {error}")
        return error.status
    except KeyboardInterrupt:
        _say("interrupted; finished measurements are kept")
        return 128 + signal.SIGINT
    except BrokenPipeError:
        # The program that reads standard output has closed it. Without this redirection, Python
        # would fail when it flushes standard output at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 128 + signal.SIGPIPE
    except OSError as error:
        _trace()
        _say(f"error: {error.filename or 'system'}: {error.strerror or error}")
        return 1
    except Exception as error:
        _trace()
        what = f"{type(error).__name__}: {error}".splitlines()[0]
        _say(f"error: this is a fault in ticklab ({what}); set TICKLAB_DEBUG=1 for a traceback")
        return 1


def _say(line: str) -> None:
    """Prints one line on standard error. Replaces control characters, because a line may contain
    names of files and words of the command line, which may have any character."""
    print(f"ticklab: {plain_text.line(line)}", file=sys.stderr, flush=True)


def _trace() -> None:
    if os.environ.get("TICKLAB_DEBUG"):
        traceback.print_exc()


def _end_by_signal(number: int, _frame: object) -> NoReturn:
    """Raises SystemExit, so that `finally` clauses terminate child processes."""
    raise SystemExit(128 + number)
