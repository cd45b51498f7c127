# SPDX-License-Identifier: MIT
"""`ticklab completion`: prints what a shell needs to complete command lines of Ticklab.

For each completion, the shell calls Ticklab with the line so far, and `answer` prints the
completions. The parser knows the options; the names of kernels, boards, suites and scenarios come
from the descriptions."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable

from ticklab.description import folders

HELP = "print the completion of a shell"
NEEDS = ("python",)

EPILOG = """\
Completes commands, options, and names of kernels, boards, suites and scenarios.

examples:
  eval "$(ticklab completion bash)"                 in ~/.bashrc
  eval "$(ticklab completion zsh)"                  in ~/.zshrc, after compinit
  ticklab completion fish | source                  in ~/.config/fish/config.fish
"""


ASKED = "_ARGCOMPLETE"  # the environment variable by which a shell asks for completions


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EPILOG
    parser.add_argument(
        "shell", choices=("bash", "zsh", "fish"), help="the shell for which to print it"
    )


def run(arguments: argparse.Namespace) -> int:
    from argcomplete.shell_integration import shellcode

    print(shellcode(["ticklab"], shell=arguments.shell))
    return 0


def answer(parser: argparse.ArgumentParser) -> None:
    """Prints the completions and ends the process. Prints nothing before the first set-up, which
    installs the package argcomplete."""
    try:
        import argcomplete
        import msgspec  # noqa: F401, reads the names of scenarios
    except ImportError:
        raise SystemExit(0) from None
    _add_names(parser)
    argcomplete.autocomplete(parser)


def _add_names(parser: argparse.ArgumentParser) -> None:
    """Tells argcomplete where to find the names that each argument may have: names of kernels,
    boards and so on. The argument's metavar selects them."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for each in action.choices.values():
                _add_names(each)
        kind = action.metavar.partition("|")[0] if isinstance(action.metavar, str) else None
        if kind in _NAMES:
            names = _NAMES[kind]
            action.completer = lambda names=names, **_: names()  # type: ignore[attr-defined]


def _scenarios() -> set[str]:
    from ticklab.description import catalogue

    return {each.name for suite in catalogue.suites().values() for each in suite.scenarios}


_NAMES: dict[str | None, Callable[[], Iterable[str]]] = {
    "KERNEL": folders.KERNELS.every,
    "BOARD": folders.BOARDS.every,
    "SUITE": folders.SUITES.every,
    "SCENARIO": _scenarios,
}
