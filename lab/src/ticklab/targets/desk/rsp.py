# SPDX-License-Identifier: MIT
"""A client of the GDB Remote Serial Protocol (GDB's manual, appendix E): the requests for memory,
registers, flash, breakpoints and running.

GDB itself, or a library that drives it, would be another dependency, and its errors cannot be
interpreted by a program. Every error of this module is one line that says what the server did.
"""

from __future__ import annotations

import re
import socket
import time
from collections.abc import Iterator
from dataclasses import dataclass, field

ANSWER_S = 5.0
_FLASH_S = 60.0  # erasing takes seconds
_LEAST_PACKET, _GREATEST_PACKET = 256, 8192
_STOPPED = (b"T", b"S")
_REGION = re.compile(r'<memory\s+type="flash"\s+start="(\w+)"\s+length="(\w+)"')


class DeskError(Exception):
    """A fault of a board, a GDB server or an image, described in one line."""


def checksum(data: bytes) -> bytes:
    return b"%02x" % (sum(data) & 0xFF)


def framed(data: bytes) -> bytes:
    return b"$%s#%s" % (data, checksum(data))


def escaped(data: bytes) -> bytes:
    """Escapes binary data for the content of a packet."""
    return re.sub(rb"[#$}*]", lambda found: b"}" + bytes([found[0][0] ^ 0x20]), data)


def unescaped(data: bytes) -> bytes:
    """Decodes the content of a packet: resolves escapes and repeated characters."""
    found, at = bytearray(), 0
    while at < len(data):
        byte = data[at : at + 1]
        if byte in (b"}", b"*") and at + 1 < len(data):
            at += 1
            repeated = found[-1:] * (data[at] - 29)
            found += repeated if byte == b"*" else bytes([data[at] ^ 0x20])
        else:
            found += byte
        at += 1
    return bytes(found)


@dataclass
class Server:
    """A connection with a GDB server."""

    link: socket.socket
    is_closed: bool = False  # whether the server closed the connection
    _received: bytes = b""
    _packet_bytes: int = _LEAST_PACKET
    _acknowledges: bool = True
    _offers: str = field(default="", repr=False)

    def greet(self) -> None:
        """Negotiates the options of the protocol with the server."""
        if self.link.family in (socket.AF_INET, socket.AF_INET6):
            self.link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # packets are small
        self.link.sendall(b"+")
        self._offers = self.ask("qSupported:hwbreak+;swbreak+").decode("ascii", "replace")
        size = re.search(r"PacketSize=([0-9a-fA-F]+)", self._offers)
        if size:
            self._packet_bytes = min(_GREATEST_PACKET, max(64, int(size[1], 16)))
        if "QStartNoAckMode+" in self._offers and self.ask("QStartNoAckMode") == b"OK":
            self._acknowledges = False
        if "qXfer:features:read+" in self._offers:
            # QEMU accepts changes of registers only after the client has read this description.
            list(self._transfer("features", "target.xml"))

    # --- Memory and registers ---------------------------------------------------------------------

    def read(self, address: int, length: int) -> bytes:
        found, most = b"", (self._packet_bytes - 8) // 2
        while len(found) < length:
            size = min(most, length - len(found))
            answer = self.ask(f"m{address + len(found):x},{size:x}")
            try:
                part = bytes.fromhex(answer.decode("ascii"))
            except ValueError:
                part = b""
            if len(part) != size:
                raise DeskError(
                    f"the server read {len(part)} of {size} bytes at {address + len(found):#x}: "
                    f"{_shown(answer)}"
                )
            found += part
        return found

    def word(self, address: int) -> int:
        return int.from_bytes(self.read(address, 4), "little")

    def write(self, address: int, data: bytes) -> None:
        most = (self._packet_bytes - 32) // 2
        for at in range(0, len(data), most):
            part = data[at : at + most]
            where = address + at
            self._require(f"M{where:x},{len(part):x}:{part.hex()}", f"writing at {where:#x}")

    def register(self, number: int) -> int:
        answer = self.ask(f"p{number:x}")
        if not re.fullmatch(rb"[0-9a-fA-F]{8}", answer):
            raise DeskError(f"the server has no register {number}: {_shown(answer)}")
        return int.from_bytes(bytes.fromhex(answer.decode()), "little")

    def set_register(self, number: int, value: int) -> None:
        text = value.to_bytes(4, "little").hex()
        self._require(f"P{number:x}={text}", f"setting register {number}")

    # --- Flash memory -----------------------------------------------------------------------------

    def flash_regions(self) -> list[tuple[int, int]]:
        """Returns the first address and the length of each flash memory that the server knows."""
        if "qXfer:memory-map:read+" not in self._offers:
            return []
        text = "".join(self._transfer("memory-map", ""))
        return [(int(begin, 0), int(length, 0)) for begin, length in _REGION.findall(text)]

    def _transfer(self, what: str, name: str) -> Iterator[str]:
        offset, more = 0, True
        while more:
            answer = self.ask(f"qXfer:{what}:read:{name}:{offset:x},{self._packet_bytes // 2:x}")
            if answer[:1] not in (b"m", b"l"):
                raise DeskError(f"the server does not send its {what}: {_shown(answer)}")
            more, offset = answer[:1] == b"m", offset + len(answer) - 1
            yield answer[1:].decode("ascii", "replace")

    def flash(self, address: int, data: bytes, erase: tuple[int, int]) -> None:
        """Erases a range and writes data into it."""
        begin, length = erase
        self._require(f"vFlashErase:{begin:x},{length:x}", f"erasing at {begin:#x}", _FLASH_S)
        most = self._packet_bytes // 2 - 32
        for at in range(0, len(data), most):
            packet = b"vFlashWrite:%x:%s" % (address + at, escaped(data[at : at + most]))
            self._require(packet, f"writing flash at {address + at:#x}", _FLASH_S)
        self._require("vFlashDone", f"writing flash at {address:#x}", _FLASH_S)

    # --- Running ----------------------------------------------------------------------------------

    def monitor(self, command: str) -> None:
        """Carries out a command of the GDB server itself, like GDB's `monitor`."""
        answer = self.ask("qRcmd," + command.encode().hex(), _FLASH_S)
        while answer[:1] == b"O" and answer != b"OK":
            answer = self._packet(_FLASH_S)
        if answer != b"OK":
            raise DeskError(f"the server refuses '{command}': {_shown(answer)}")

    def stop_at(self, address: int) -> None:
        for kind in (1, 0):  # tries a hardware breakpoint, then a software breakpoint
            if self.ask(f"Z{kind},{address:x},2") == b"OK":
                return
        raise DeskError(f"the server sets no breakpoint at {address:#x}")

    def run(self) -> None:
        self._send("c")

    def stopped(self, within_s: float) -> bool:
        """Waits at most `within_s` seconds until the board stops. Returns whether it stopped."""
        end = time.monotonic() + within_s
        while (left := end - time.monotonic()) > 0:
            try:
                answer = self._packet(left)
            except TimeoutError:
                return False
            if answer[:1] in _STOPPED:
                return True
            if answer[:1] in (b"W", b"X"):
                raise DeskError("the server says that the program ended")
        return False

    def interrupt(self) -> None:
        """Stops the board."""
        self.link.sendall(b"\x03")
        if not self.stopped(ANSWER_S):
            raise DeskError(f"the board hangs: it does not stop within {ANSWER_S:g} s")

    # --- Packets ----------------------------------------------------------------------------------

    def ask(self, packet: str | bytes, within_s: float = ANSWER_S) -> bytes:
        self._send(packet)
        try:
            return self._packet(within_s)
        except TimeoutError:
            what = _shown(packet.encode() if isinstance(packet, str) else packet)
            raise DeskError(f"the server does not answer '{what}' in {within_s:g} s") from None

    def _require(self, packet: str | bytes, what: str, within_s: float = ANSWER_S) -> None:
        answer = self.ask(packet, within_s)
        if answer != b"OK":
            raise DeskError(f"{what} fails: {_shown(answer)}")

    def _send(self, packet: str | bytes) -> None:
        data = packet.encode() if isinstance(packet, str) else packet
        try:
            self.link.sendall(framed(data))
        except OSError as error:
            raise DeskError(f"the server is gone: {error.strerror}") from error

    def _packet(self, within_s: float) -> bytes:
        """Returns the content of the next packet. Raises TimeoutError."""
        end = time.monotonic() + within_s
        while True:
            found = re.search(rb"\$([^#]*)#([0-9a-fA-F]{2})", self._received)
            if found:
                self._received = self._received[found.end() :]
                if checksum(found[1]) == found[2].lower():
                    if self._acknowledges:
                        self.link.sendall(b"+")
                    return unescaped(found[1])
                self.link.sendall(b"-")  # asks the server to send the packet again
                continue
            self._receive(end - time.monotonic())

    def _receive(self, within_s: float) -> None:
        if within_s <= 0:
            raise TimeoutError
        self.link.settimeout(within_s)
        try:
            data = self.link.recv(1 << 16)
        except ConnectionError:
            data = b""
        if not data:
            self.is_closed = True
            raise DeskError("the server closed the connection: is the board unplugged?")
        self._received += data


def _shown(answer: bytes) -> str:
    """Returns the beginning of the server's answer, for an error message."""
    if not answer:
        return "it does not know the request"
    text = answer[:40].decode("ascii", "replace")
    return f"error {text[1:]}" if re.fullmatch(r"E[0-9a-fA-F]{2}", text) else text
