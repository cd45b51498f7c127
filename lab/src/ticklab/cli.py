# SPDX-License-Identifier: MIT
"""The command line: finds the command, sets up what it needs, runs it, and turns errors into one
line.

A command is a module in ticklab/commands and needs no edit here. It has `HELP`, `configure(parser)`
and `run(arguments) -> exit status`; `arguments.command_line` is what the user typed. It may name in
`NEEDS` the steps of the set-up that it cannot do without (all, unless said). Help is printed before
any set-up.
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

from ticklab import bootstrap, commands, names, plain_text
from ticklab.errors import TicklabError, UsageError

DESCRIPTION = (
    "Measures what operations of real-time kernels cost, exactly, and how sure each figure is."
)

EXAMPLES = """\
examples:
  ticklab run                                  every kernel, Thread-Metric, default board
  ticklab run --kernel freertos --scenario synchronization --optimise best
  ticklab list kernels                         what can be measured, and facts about it
  ticklab compare freertos rt                  who is faster, and whether that is certain
  ticklab observe image.elf --call xQueueGenericSend       any image, each call of a function

Everything that Ticklab makes is in .ticklab beside the sources ($TICKLAB_HOME moves it).
Exit status: 0 ok, 1 a measurement failed or fell outside what it must be, 2 wrong use,
3 regression ('gate').
'ticklab COMMAND --help' tells more about each command.
"""


class Command(Protocol):
    HELP: str

    def configure(self, parser: argparse.ArgumentParser) -> None: ...

    def run(self, arguments: argparse.Namespace) -> int: ...


class Parser(argparse.ArgumentParser):
    """argparse, with errors of one line, no guessing of abbreviated flags, and no loss of the
    first values of a flag that is given twice."""

    def __init__(self, **options: Any) -> None:
        options.setdefault("formatter_class", argparse.RawDescriptionHelpFormatter)
        super().__init__(allow_abbrev=False, **options)
        self.register("action", None, _Store)

    def error(self, message: str) -> NoReturn:
        raise UsageError(message, f"see '{self.prog} --help'")


class _Store(argparse.Action):
    """Keeps the value; of flags that take several, the values of all times that they are given."""

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


def _run(words: Sequence[str]) -> int:
    found = _commands()
    parser, parsers = _parser(found)
    if words and not words[0].startswith("-") and words[0] not in found:
        raise names.unknown("command", words[0], found)
    arguments, rest = parser.parse_known_args(words)
    if rest:
        raise _unknown_argument(rest[0], parsers[arguments.command])
    arguments.command_line = ("ticklab", *words)
    command = found[arguments.command]
    bootstrap.ensure(getattr(command, "NEEDS", bootstrap.EVERYTHING), words)
    status = command.run(arguments)
    sys.stdout.flush()
    return status


def _commands() -> dict[str, Command]:
    modules = sorted(module.name for module in pkgutil.iter_modules(commands.__path__))
    return {
        name: cast(Command, importlib.import_module(f"ticklab.commands.{name}")) for name in modules
    }


def _parser(found: dict[str, Command]) -> tuple[Parser, dict[str, Parser]]:
    parser = Parser(prog="ticklab", description=DESCRIPTION, epilog=EXAMPLES)
    choices = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    parsers = {}
    for name, command in found.items():
        parsers[name] = choices.add_parser(name, help=command.HELP, description=command.HELP)
        command.configure(parsers[name])
    return parser, parsers


def _unknown_argument(word: str, parser: Parser) -> UsageError:
    if word.startswith("-"):
        return names.unknown("option", word, set(re.findall(r"--[a-z-]+", parser.format_help())))
    return UsageError(f"'{parser.prog}' takes no '{word}'", f"see '{parser.prog} --help'")


def _explained(action: Callable[[], int]) -> int:
    """Runs `action`; whatever goes wrong becomes one line and a status."""
    try:
        return action()
    except TicklabError as error:
        _say(f"error: {error}")
        return error.status
    except KeyboardInterrupt:
        _say("interrupted; what was measured is kept")
        return 128 + signal.SIGINT
    except BrokenPipeError:
        # Python flushes standard output once more at exit; there is nobody to read it.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 128 + signal.SIGPIPE
    except OSError as error:
        _trace()
        _say(f"error: {error.filename or 'system'}: {error.strerror or error}")
        return 1
    except Exception as error:
        _trace()
        what = f"{type(error).__name__}: {error}".splitlines()[0]
        _say(f"error: this is a fault in ticklab ({what}); TICKLAB_DEBUG=1 shows where")
        return 1


def _say(line: str) -> None:
    print(f"ticklab: {line}", file=sys.stderr, flush=True)


def _trace() -> None:
    if os.environ.get("TICKLAB_DEBUG"):
        traceback.print_exc()


def _end_by_signal(number: int, _frame: object) -> NoReturn:
    """Lets `finally` clauses end child processes."""
    raise SystemExit(128 + number)
