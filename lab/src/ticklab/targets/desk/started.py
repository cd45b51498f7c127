# SPDX-License-Identifier: MIT
"""Connects to the GDB server of a board. If the board's description has a command that starts the
server, starts the server before and ends it afterwards."""

from __future__ import annotations

import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import IO

from ticklab.targets.desk.rsp import DeskError, Server
from ticklab.targets.desk.settings import Settings

START_S = 60.0  # time within which a started server must accept a connection
_END_S = 10.0  # time within which a server must end
_ASK_AGAIN_S = 0.05
_PORT = "{port}"


@dataclass
class Started:
    """The connection to a server, and the server's process if Ticklab started it."""

    link: Server
    child: subprocess.Popen[bytes] | None
    output: IO[bytes]

    def tells_of_lockup(self) -> bool:
        """Returns whether the server reports a lockup of the core. QEMU reports a lockup by
        exiting."""
        if self.child and self.link.is_closed:
            with suppress(subprocess.TimeoutExpired):
                self.child.wait(_END_S)
        return "lockup" in said(self.output).lower()

    def explained(self, error: DeskError) -> str:
        """Returns the text of an error. If the server has exited, adds the last line of its
        output."""
        return _with(error, self.output) if self.child and self.child.poll() else str(error)


@contextmanager
def server(settings: Settings) -> Iterator[Started]:
    """Yields a connection to the server of a board."""
    port = _free_port() if settings.server else ""
    with tempfile.TemporaryFile() as output:
        child = _start([word.replace(_PORT, port) for word in settings.server], output)
        try:
            with _connect(settings.address.replace(_PORT, port), child, output) as link:
                found = Started(Server(link), child, output)
                found.link.greet()
                yield found
        finally:
            if child:
                _end(child)


def _end(child: subprocess.Popen[bytes]) -> None:
    """Ends a server. Gives it some time to release its debug probe."""
    child.terminate()
    try:
        child.wait(_END_S)
    except subprocess.TimeoutExpired:
        child.kill()
        child.wait()


def said(output: IO[bytes]) -> str:
    output.seek(0)
    return output.read().decode(errors="replace")


def _start(command: list[str], output: IO[bytes]) -> subprocess.Popen[bytes] | None:
    if not command:
        return None
    try:
        return subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=output, stderr=output)
    except OSError as error:
        raise DeskError(f"the server {command[0]} cannot be started: {error.strerror}") from error


def _connect(
    address: str, child: subprocess.Popen[bytes] | None, output: IO[bytes]
) -> socket.socket:
    host, _, port = address.rpartition(":")
    until = time.monotonic() + (START_S if child else 0)
    while True:
        try:
            return socket.create_connection((host, int(port)), timeout=10)
        except (OSError, ValueError) as error:
            if child and child.poll() is not None:
                text = _with("the GDB server ended when it started", output)
                raise DeskError(text) from error
            if time.monotonic() >= until:
                raise DeskError(f"no GDB server at {address}: {error}") from error
        time.sleep(_ASK_AGAIN_S)


def _with(error: object, output: IO[bytes]) -> str:
    lines = [line.strip() for line in said(output).splitlines() if line.strip()]
    return f"{error}; it says: {lines[-1]}" if lines else str(error)


def _free_port() -> str:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return str(probe.getsockname()[1])
