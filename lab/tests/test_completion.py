# SPDX-License-Identifier: MIT
"""Tests completion in a shell and the manual page, which are both made from the parser."""

from __future__ import annotations

import os
import shutil
import subprocess

import pytest

from ticklab import cli, paths

ENTRY = str(paths.CHECKOUT / "ticklab")


def completions(line: str) -> set[str]:
    """Returns the words with which `ticklab` completes a line. It writes them to descriptor 8,
    which argcomplete's shell functions read."""
    asked = {"_ARGCOMPLETE": "1", "_ARGCOMPLETE_IFS": "\n", "_ARGCOMPLETE_SHELL": "bash"}
    place = {"COMP_LINE": line, "COMP_POINT": str(len(line))}
    answer = subprocess.run(
        ["sh", "-c", f'"{ENTRY}" 8>&1 9>/dev/null >/dev/null 2>&1'],
        env={**os.environ, **asked, **place},
        capture_output=True,
        text=True,
    )
    return {word.strip() for word in answer.stdout.split("\n") if word.strip()}


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("ticklab ru", {"run"}),
        ("ticklab run --boa", {"--board"}),
        ("ticklab run --kernel freertos-", {"freertos-in-rust", "freertos-mpu", "freertos-smp"}),
        ("ticklab run --kernel freertos bulkhead-s", {"bulkhead-semi"}),
        ("ticklab run --board ibex-", {"ibex-16", "ibex-16-tree", "ibex-multi"}),
        ("ticklab run --suite rh", {"rhealstone"}),
        ("ticklab run --scenario synchronization-", {
            "synchronization-mutex", "synchronization-notification",
        }),
        ("ticklab completion f", {"fish"}),
    ],
)  # fmt: skip
def test_words_are_completed(line: str, expected: set[str]) -> None:
    assert completions(line) == expected


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_each_shell_gets_a_text_that_it_accepts(
    shell: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["completion", shell]) == 0
    text = capsys.readouterr().out
    assert "ticklab" in text
    if shell != "fish" and shutil.which(shell):
        subprocess.run([shell, "-n"], input=text, text=True, check=True)


def test_the_manual_page_has_every_command_and_its_options(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert cli.main(["man"]) == 0
    page = capsys.readouterr().out.replace("\\-", "-").replace("\\", "")
    assert page.startswith(".TH TICKLAB")
    for name in cli.parsers():
        assert f"ticklab {name}" in page
    for option in ("--kernel", "--baseline", "--call", "--yes"):
        assert option in page
