# SPDX-License-Identifier: MIT
"""Reads the memory of a running board or emulator through its GDB server. The processor is stopped
while memory is read, and continues afterwards, also after an error, unless the server no longer
answers."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from ticklab.errors import TicklabError
from ticklab.targets.desk.rsp import DeskError, Server

_CONNECT_S = 10.0
# Lets QEMU read physical memory, as a debug probe does, and not with the rights of the interrupted
# thread. Other servers ignore the packet and read physical memory anyway.
_PHYSICAL = "Qqemu.PhyMemMode:"


@contextmanager
def memory(address: str) -> Iterator[Callable[[int, int], bytes]]:
    """Yields a function that reads a number of bytes from an address. Raises TicklabError if the
    server does not answer or cannot read."""
    host, _, port = address.rpartition(":")
    try:
        with socket.create_connection((host, int(port)), _CONNECT_S) as link:
            server = Server(link)
            with _stopped(server):
                yield server.read
    except (OSError, ValueError, OverflowError) as error:
        raise TicklabError(
            f"no GDB server answers at {address}: {error}", "start it, and name it as HOST:PORT"
        ) from error
    except DeskError as error:
        raise TicklabError(str(error), "look whether the target still runs") from error


@contextmanager
def _stopped(server: Server) -> Iterator[None]:
    try:
        server.greet()
        server.ask(_PHYSICAL + "1")
        yield
    except BaseException:
        with suppress(DeskError, OSError):  # the first error is the cause
            _leave(server)
        raise
    _leave(server)


def _leave(server: Server) -> None:
    """Restores the server's setting, and lets the processor continue."""
    try:
        server.ask(_PHYSICAL + "0")
    finally:
        server.ask("D")
