# SPDX-License-Identifier: MIT
"""Tests `ticklab bulkhead draw`: the formats, files and errors. bulkhead/test/declare/test_draw.py
tests the content of the drawing."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from documents import fits

from ticklab import cli, paths
from ticklab.documents import isolation

DRIVER = str(paths.CHECKOUT / "bulkhead" / "examples" / "driver" / "system.toml")


def test_the_json_of_the_isolation_fits(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["bulkhead", "draw", DRIVER, "--format", "json"]) == 0
    found = fits("isolation", json.loads(capsys.readouterr().out))
    assert [each["name"] for each in found["processes"]] == ["driver", "logger"]


def test_a_picture_is_written_to_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "driver.svg"
    assert cli.main(["bulkhead", "draw", DRIVER, "--format", "svg", "-o", str(file)]) == 0
    assert file.read_text().startswith("<svg ")
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("name", isolation.PICTURES)
def test_a_picture_of_the_documents_is_that_of_its_declaration(name: str) -> None:
    assert (isolation.FOLDER / name).read_text() == isolation.drawn(name), (
        "run 'ticklab docs generate'"
    )


@pytest.mark.parametrize(
    ("words", "status", "named"),
    [
        (("nothing.toml",), 2, "cannot read nothing.toml"),
        ((DRIVER, "--format", "pdf"), 2, "--format"),
        ((DRIVER, "-o", "/nothing/a.svg"), 1, "/nothing/a.svg"),
        ((__file__,), 2, "not TOML"),
    ],
)
def test_wrong_use_is_one_line(
    words: tuple[str, ...], status: int, named: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["bulkhead", "draw", *words]) == status
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert named in said
