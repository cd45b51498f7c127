# SPDX-License-Identifier: MIT
"""A GDB server with a fault: it passes packets on to QEMU's GDB server, and changes some of them as
the fault demands.

    desk_proxy.py FAULT PORT

test_desk.py says which event on a real board each fault stands for, for example an unplugged cable.
"""

from __future__ import annotations

import re
import socket
import subprocess
import sys
import time
from collections.abc import Callable

QEMU = [
    "qemu-system-arm",
    "-M",
    "mps2-an386",
    "-nographic",
    "-monitor",
    "none",
    "-serial",
    "none",
    "-nic",
    "none",
    "-icount",
    "shift=5,align=off,sleep=on",
    "-S",
    "-gdb",
    "tcp:127.0.0.1:",
]
_PACKET = re.compile(rb"\x03|\$[^#]*#..")
_CPUID = b"$me000ed00,4"


def framed(data: bytes) -> bytes:
    return b"$%s#%02x" % (data, sum(data) & 0xFF)


class Proxy:
    """A connection between client and server. `runs` counts how often the client let the board run;
    `asked` is the latest request of the client."""

    def __init__(self, fault: str, client: socket.socket, server: socket.socket) -> None:
        self.client, self.server = client, server
        self.runs, self.asked = 0, b""
        self.received = b""
        found: dict[str, Callable[[bytes], bytes]] = {
            "none": lambda answer: answer,
            "unplugged": self.unplug,
            "hung": self.hang,
            "wrong-chip": self.another_chip,
            "flash": self.worn_flash,
            "short": self.short_answer,
            "half-record": self.half_a_record,
            "noise": self.noise,
        }
        self.fault = found[fault]
        self.noisy = False

    def serve(self) -> None:
        while True:
            data = self.client.recv(1 << 16)
            if not data:
                return
            for packet in _PACKET.findall(data):
                self.asked = packet
                self.runs += packet == b"$c#63"
                self.client.sendall(self.fault(self.answer(packet)))

    def answer(self, packet: bytes) -> bytes:
        """Returns the server's answer to the latest request, with its acknowledgement."""
        self.server.sendall(packet)
        while not (found := re.search(rb"\+*\$[^#]*#..", self.received)):
            self.received += self.server.recv(1 << 16)
        self.received = self.received[found.end() :]
        self.server.sendall(b"+")
        return found[0]

    def unplug(self, answer: bytes) -> bytes:
        if self.runs == 2:
            sys.exit("libusb: device is gone")
        return answer

    def hang(self, answer: bytes) -> bytes:
        """Simulates a board that hangs: passes on no answer after the second run of the board."""
        if self.runs == 2:
            time.sleep(3600)
        return answer

    def another_chip(self, answer: bytes) -> bytes:
        return (
            b"+" + framed(b"31c23f41") if self.asked.startswith(_CPUID) else answer
        )  # a Cortex-M3

    def worn_flash(self, answer: bytes) -> bytes:
        """Changes a bit of the image that the client reads back after loading, as if worn flash
        memory could not clear it."""
        return self.changed(answer, lambda text: b"ff" + text[2:]) if self.is_image else answer

    def short_answer(self, answer: bytes) -> bytes:
        if self.runs and self.asked.startswith(b"$m"):
            return self.changed(answer, lambda text: text[: len(text) // 2])
        return answer

    def half_a_record(self, answer: bytes) -> bytes:
        """Lowers the ring's pointer to the next free entry by 4 bytes, so that the last record is
        incomplete."""
        if self.runs and re.match(rb"\$m[0-9a-f]+,4#", self.asked):
            return self.changed(answer, self.lower)
        return answer

    def noise(self, answer: bytes) -> bytes:
        """Changes a byte of the first answer after each run. The client must reject the packet; it
        is then sent again unchanged."""
        self.noisy = not self.noisy and self.asked == b"$c#63"
        if self.noisy:
            self.client.sendall(answer.replace(b"05", b"15"))
            while b"-" not in self.client.recv(16):
                pass
        return answer

    @property
    def is_image(self) -> bool:
        """Returns whether the client's request reads the loaded image back."""
        return not self.runs and re.match(rb"\$m0,[0-9a-f]{3}", self.asked) is not None

    @staticmethod
    def lower(text: bytes) -> bytes:
        word = int.from_bytes(bytes.fromhex(text.decode()), "little")
        return ((word - 4) % (1 << 32)).to_bytes(4, "little").hex().encode()

    @staticmethod
    def changed(answer: bytes, change: Callable[[bytes], bytes]) -> bytes:
        found = re.search(rb"\$([^#]*)#", answer)
        assert found
        return b"+" + framed(change(found[1]))


def main(fault: str, port: str) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        theirs = probe.getsockname()[1]
    child = subprocess.Popen([*QEMU[:-1], QEMU[-1] + str(theirs)], stderr=subprocess.DEVNULL)
    try:
        # Starts QEMU before it accepts a client, so that the client never waits for the start of
        # QEMU.
        with (
            connected(theirs, child) as server,
            socket.create_server(("127.0.0.1", int(port))) as place,
        ):
            client, _ = place.accept()
            with client:
                Proxy(fault, client, server).serve()
    finally:
        child.kill()


def connected(port: int, child: subprocess.Popen[bytes]) -> socket.socket:
    while child.poll() is None:
        try:
            return socket.create_connection(("127.0.0.1", port))
        except OSError:
            time.sleep(0.05)
    sys.exit("QEMU does not start")


if __name__ == "__main__":
    main(*sys.argv[1:])
