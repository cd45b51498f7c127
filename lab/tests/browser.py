# SPDX-License-Identifier: MIT
"""A headless Chromium for tests, driven by its DevTools protocol over a pipe: no driver, no port.

Reports a page's errors, its requests to the network, its width, and a picture of it.
"""

from __future__ import annotations

import base64
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

CHROMIUM = "chromium"
_FLAGS = (
    "--headless",
    "--no-sandbox",  # tests also run as root in containers
    "--disable-gpu",
    "--remote-debugging-pipe",
)
_START = """
import os, sys
os.dup2(int(sys.argv[1]), 3)
os.dup2(int(sys.argv[2]), 4)
os.execv(sys.argv[3], sys.argv[3:])
"""


@dataclass
class Page:
    """The current tab of a page. `errors` and `requests` grow while commands are answered."""

    browser: Browser
    context: str | None = None
    session: str | None = None
    sessions: set[str] = field(default_factory=set)
    errors: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)
    is_scripted: bool = True
    _loaded: bool = False

    def open(self, file: Path, width: int, height: int) -> None:
        """Opens a file in a new tab, to which later commands apply."""
        self.session, self._loaded = None, False
        place = {"url": "about:blank", "browserContextId": self.context}
        target = self.call("Target.createTarget", **place)["targetId"]
        attached = self.call("Target.attachToTarget", targetId=target, flatten=True)
        self.session = attached["sessionId"]
        self.sessions.add(attached["sessionId"])
        for domain in ("Page", "Network", "Log", "Runtime"):
            self.call(f"{domain}.enable")
        self.call(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=width < 600,
        )
        self.call("Emulation.setScriptExecutionDisabled", value=not self.is_scripted)
        self.call("Page.navigate", url=file.as_uri())
        while not self._loaded:
            self._next()

    def evaluate(self, expression: str) -> Any:
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True)
        return answer["result"].get("value")

    def wait(self, expression: str) -> None:
        """Waits until the JavaScript `expression` is true in the page."""
        for _ in range(10_000):  # for minutes, because a busy machine is slow
            if self.evaluate(expression):
                return
            time.sleep(0.01)
        raise AssertionError(f"never true: {expression}")

    def unfold(self) -> None:
        """Opens every folded part of the page. The page makes the elements of some of these parts
        only when they are opened."""
        unfolded = "document.querySelectorAll('details').forEach(one => one.open = true)"
        self.evaluate(unfolded)
        self.wait("document.querySelector('noscript') === null")
        self.evaluate(unfolded)

    def forbid_scripts(self) -> None:
        """Opens later pages without scripts, as for a reader whose browser executes none."""
        self.is_scripted = False

    def prefer(self, scheme: str) -> None:
        """Opens later pages as for a reader whose system is set to `light` or `dark`."""
        feature = {"name": "prefers-color-scheme", "value": scheme}
        self.call("Emulation.setEmulatedMedia", features=[feature])

    def put_on_paper(self) -> None:
        """Shows the page in its print layout, as one long sheet without page breaks."""
        self.call("Emulation.setEmulatedMedia", media="print")

    def press_tab(self) -> None:
        key = {"key": "Tab", "code": "Tab", "windowsVirtualKeyCode": 9}
        self.call("Input.dispatchKeyEvent", type="keyDown", **key)
        self.call("Input.dispatchKeyEvent", type="keyUp", **key)

    def press_enter(self) -> None:
        key = {"key": "Enter", "code": "Enter", "windowsVirtualKeyCode": 13, "text": "\r"}
        self.call("Input.dispatchKeyEvent", type="keyDown", **key)
        self.call("Input.dispatchKeyEvent", type="keyUp", **key)

    def screenshot(self) -> bytes:
        return base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"])

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        self.browser.last += 1
        number = self.browser.last
        message = {"id": number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.browser.commands, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._next()
            if answer.get("id") == number:
                assert "error" not in answer, answer
                result: dict[str, Any] = answer["result"]
                return result

    def _next(self) -> dict[str, Any]:
        text = bytearray()
        while (byte := self.browser.answers.read(1)) != b"\0":
            assert byte, "Chromium ended"
            text += byte
        message: dict[str, Any] = json.loads(text)
        if message.get("sessionId") in self.sessions:  # not of another page
            self._note(message.get("method", ""), message.get("params", {}))
        return message

    def _note(self, event: str, parameters: dict[str, Any]) -> None:
        if event == "Network.requestWillBeSent":
            self.requests.append(parameters["request"]["url"])
        elif event in ("Log.entryAdded", "Runtime.exceptionThrown", "Runtime.consoleAPICalled"):
            self.errors.append(json.dumps(parameters))
        elif event == "Page.loadEventFired":
            self._loaded = True


@dataclass
class Browser:
    """A running Chromium."""

    commands: int  # file descriptor
    answers: Any
    last: int = 0  # number of the last command

    @contextmanager
    def page(self) -> Iterator[Page]:
        """Yields a page with settings and files of its own, as in a new browser."""
        found = Page(self)
        found.context = found.call("Target.createBrowserContext")["browserContextId"]
        yield found
        found.session = None
        found.call("Target.disposeBrowserContext", browserContextId=found.context)


@contextmanager
def started(profile: Path) -> Iterator[Browser]:
    """Starts a browser, which keeps its files in `profile`. Chromium reads commands from descriptor
    3 and writes answers to 4."""
    program = shutil.which(CHROMIUM)
    assert program, "the report is tested in Chromium: install it, or set TICKLAB_NO_BROWSER=1"
    read_commands, commands = os.pipe()
    read_answers, answers = os.pipe()
    ends = (str(read_commands), str(answers))
    browser = subprocess.Popen(
        [sys.executable, "-c", _START, *ends, program, *_FLAGS, f"--user-data-dir={profile}"],
        start_new_session=True,
        pass_fds=(read_commands, answers),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    os.close(read_commands)
    os.close(answers)
    try:
        with os.fdopen(read_answers, "rb") as stream:
            yield Browser(commands, stream)
    finally:
        os.close(commands)  # Chromium then ends, and removes its temporary files
        with suppress(subprocess.TimeoutExpired):
            browser.wait(timeout=60)
        with suppress(ProcessLookupError):
            os.killpg(browser.pid, signal.SIGKILL)
        browser.wait()
