# SPDX-License-Identifier: MIT
"""Errors that a user can act on: one line that names the thing and the remedy. Also the exit
statuses of all commands."""

from __future__ import annotations

from enum import IntEnum


class ExitStatus(IntEnum):
    OK = 0
    FAILED = 1  # a measurement failed, is missing, or left its permitted range
    WRONG_USE = 2  # the command line or a description is wrong
    REGRESSION = 3  # `gate`: something became worse than its baseline


class TicklabError(Exception):
    """A measurement, tool or file failed. Exit status 1.

    `message` names the thing and what is wrong, `hint` says what to do; both are one line.
    """

    status = ExitStatus.FAILED

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message}; {self.hint}" if self.hint else self.message


class UsageError(TicklabError):
    """The command line or a description asks for something that does not exist. Exit status 2."""

    status = ExitStatus.WRONG_USE


class UncompilableError(TicklabError):
    """The sources do not compile with the compiler that the user chose, and are not the user's
    own."""
