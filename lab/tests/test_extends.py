# SPDX-License-Identifier: MIT
"""Tests `extends` in kernel.toml: which keys an extension has from its base, and which bases are
refused."""

from pathlib import Path

import pytest

from ticklab.description import extends
from ticklab.description.catalogue import find_kernel
from ticklab.errors import UsageError

BASE = """\
[kernel]
name = "base"
title = "Base"
version = "1.0"
sources = ["base.c"]
includes = ["headers"]
services = ["yield"]
linker_script = "base.ld"
[arch.armv7-m]
[config.default]
header = "config.h"
reason = "fast"
defines = { ONE = 1, TWO = 2 }
includes = ["replaced"]
without_services = ["yield"]
[config.slow]
extends = "default"
reason = "slow"
defines = { TWO = 3 }
includes = ["slower"]
without_services = ["queue"]
[config.slower]
extends = "slow"
reason = "slower"
header = "base.c"
"""
OWN = """\
[kernel]
extends = "../shared"
name = "own"
title = "Own"
sources = ["own.c"]
includes = ["own"]
[features]
checks = true
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The folder of a kernel that extends the description in the folder beside it."""
    for place, text, files in (
        ("shared", BASE, ("base.c", "base.ld", "config.h")),
        ("own", OWN, ("own.c",)),
    ):
        (tmp_path / place).mkdir()
        (tmp_path / place / extends.FILE).write_text(text)
        for name in files:
            (tmp_path / place / name).touch()
    return tmp_path / "own"


def replace(folder: Path, old: str, new: str) -> None:
    text = (folder / extends.FILE).read_text()
    assert old in text
    (folder / extends.FILE).write_text(text.replace(old, new))


def refused(folder: Path, message: str) -> None:
    with pytest.raises(UsageError, match=message) as caught:
        find_kernel(str(folder))
    assert "\n" not in str(caught.value)
    assert caught.value.hint


def test_a_configuration_extends_another(folder: Path) -> None:
    configs = find_kernel(str(folder.parent / "shared")).configs
    slow, slower = configs["slow"], configs["slower"]
    assert slow.header == slow.header.parent / "config.h"
    assert slow.defines == {"ONE": "1", "TWO": "3"}
    assert slow.includes == ("slower", "replaced")
    assert slow.without_services == {"yield", "queue"}
    assert (slower.defines, slower.header.name) == (slow.defines, "base.c")
    assert configs["default"].includes == ("replaced",)


def test_a_kernel_extends_a_description_in_another_folder(folder: Path) -> None:
    kernel = find_kernel(str(folder))
    assert (kernel.name, kernel.version, kernel.features) == ("own", "1.0", {"checks": True})
    assert kernel.sources == ("../shared/base.c", "own.c")
    assert kernel.includes == ("own", "../shared/headers")
    assert kernel.linker_script == folder / "../shared/base.ld"
    assert kernel.configs["slow"].includes == ("../shared/slower", "../shared/replaced")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"../shared"', '"../shred"', r"own/kernel.toml: \[kernel\] extends '../shred', which has"),
        ('"../shared"', '"."', r"\[kernel\] extends '.', which extends it"),
        ('"../shared"', "1", r"\[kernel\] extends 1, which is no text"),
        ('name = "own"\n', "", r"\[kernel\] name is missing"),
    ],
)
def test_a_wrong_base_of_a_kernel_is_refused(
    folder: Path, old: str, new: str, message: str
) -> None:
    replace(folder, old, new)
    refused(folder, message)


def test_kernels_that_extend_each_other_are_refused(folder: Path) -> None:
    replace(folder.parent / "shared", 'name = "base"', 'extends = "../own"')
    refused(folder, r"shared/kernel.toml: \[kernel\] extends '../own', which extends it")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"default"', '"defualt"', r"\[config.slow\] extends 'defualt', .*; did you mean default"),
        ('"default"', '"slow"', r"\[config.slow\] extends 'slow', which extends it"),
        ('"default"', '"slower"', r"\[config.slower\] extends 'slow', which extends it"),
        ('"default"', "1", r"\[config.slow\] extends 1, which is no configuration"),
        ('reason = "slow"\n', "", r"\[config.slow\] reason is missing"),
    ],
)
def test_a_wrong_base_of_a_configuration_is_refused(
    folder: Path, old: str, new: str, message: str
) -> None:
    shared = folder.parent / "shared"
    replace(shared, old, new)
    refused(shared, message)
