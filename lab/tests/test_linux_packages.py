# SPDX-License-Identifier: MIT
"""Tests the packages of kernels that boot: they are downloaded from the mirrors of apt, checked,
and unpacked."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from ticklab import digest
from ticklab.bootstrap import debian, tables
from ticklab.bootstrap.step import Log
from ticklab.description import catalogue
from ticklab.description.boot import PackageFile
from ticklab.errors import TicklabError


@dataclass
class Mirror:
    """A stand-in for apt: its mirrors are folders, and the second one has the package."""

    folder: Path
    log: Log

    def package(self, file: str, content: str) -> PackageFile:
        tree = self.folder / "tree"
        (tree / "DEBIAN").mkdir(parents=True)
        (tree / "DEBIAN" / "control").write_text(
            "Package: a-kernel\nVersion: 1.2-3\nArchitecture: armhf\n"
            "Maintainer: nobody <n@example.org>\nDescription: none\n"
        )
        (tree / file).parent.mkdir(parents=True)
        (tree / file).write_text(content)
        made = self.folder / "second" / "pool" / "a-kernel_1.2-3_armhf.deb"
        made.parent.mkdir(parents=True)
        subprocess.run(["dpkg-deb", "-b", tree, made], check=True, capture_output=True)
        return PackageFile("pool/a-kernel_1.2-3_armhf.deb", digest.hash_file(made), file)


@pytest.fixture
def mirror(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Mirror:
    place = tmp_path / "a place"
    programs = place / "bin"
    programs.mkdir(parents=True)
    monkeypatch.setenv("TICKLAB_HOME", str(place / "home"))
    for name, script in (
        ("apt-get", f"printf '%s\\n' '{place}/first/' '{place}/second/' '{place}/second/'"),
        ("helper", 'echo "${4#SHA256:}  $2" | sha256sum -c - && cp "$2" "$3"'),
    ):
        (programs / name).write_text(f"#!/bin/sh\n{script}\n")
        (programs / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}:/usr/bin:/bin")
    monkeypatch.setattr(debian, "_HELPER", str(programs / "helper"))
    return Mirror(place, Log(place / "x.log"))


def test_a_file_comes_from_the_first_mirror_that_has_the_package(mirror: Mirror) -> None:
    wanted = mirror.package("boot/vmlinuz-1", "a kernel")
    debian.fetch(mirror.log, wanted)
    assert wanted.path.read_text() == "a kernel"
    assert [file.name for file in wanted.path.parents[1].iterdir()] == ["boot"]


def test_a_package_that_no_mirror_has_is_named_with_the_way_out(mirror: Mirror) -> None:
    wanted = replace(mirror.package("boot/vmlinuz-1", "x"), package="pool/a-kernel_1.2-2_armhf.deb")
    reason = r"no mirror .* a-kernel 1\.2-2 .*; name a newer"
    with pytest.raises(TicklabError, match=reason) as said:
        debian.fetch(mirror.log, wanted)
    assert len(str(said.value).splitlines()) == 1
    assert not wanted.path.exists()


def test_a_package_of_another_hash_is_refused(mirror: Mirror) -> None:
    wanted = replace(mirror.package("boot/vmlinuz-1", "x"), sha256="0" * 64)
    with pytest.raises(TicklabError, match="SHA-256 is 0000"):
        debian.fetch(mirror.log, wanted)
    assert not wanted.path.exists()


def test_a_package_without_the_file_is_refused(mirror: Mirror) -> None:
    wanted = replace(mirror.package("boot/vmlinuz-1", "x"), file="boot/vmlinuz-2")
    with pytest.raises(TicklabError, match=r"a-kernel 1\.2-3 has no boot/vmlinuz-2"):
        debian.fetch(mirror.log, wanted)


def test_only_the_packages_of_named_kernels_are_fetched() -> None:
    assert tables.needs(["virt-linux"], ["linux-rt/without-psi"]) == [
        "linux-armhf", "kernel-linux-rt",
    ]  # fmt: skip
    assert {*tables.needs(["virt-linux"])} == {"linux-armhf", "kernel-linux", "kernel-linux-rt"}
    assert not any(name.startswith("kernel-") for name in tables.needs(["virt", "mps2-an386"]))


def test_the_version_of_a_kernel_is_that_of_its_package() -> None:
    for name in ("linux", "linux-rt"):
        kernel = catalogue.kernels()[name]
        assert kernel.boot
        assert kernel.boot.kernel.name.endswith(f" {kernel.version}")
