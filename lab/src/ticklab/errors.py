# SPDX-License-Identifier: MIT
"""Errors that a user can act on: one line that names the thing and the way out."""

from __future__ import annotations


class TicklabError(Exception):
    """A measurement, tool or file failed. Exit status 1.

    `message` names what is wrong, `hint` says what to try; both are one line.
    """

    status = 1

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message}; {self.hint}" if self.hint else self.message


class UsageError(TicklabError):
    """The command line or a description asks for something that does not exist. Exit status 2."""

    status = 2


class UncompilableError(TicklabError):
    """The compiler that the user named refuses sources that are not the user's to mend."""
