# SPDX-License-Identifier: MIT
"""Fetches Debian packages with kernels for guests, pinned by version and hash.

Nothing is installed: the package is downloaded from the mirrors in this machine's apt sources, its
hash is checked, and the wanted file is extracted. Uses the standard library alone.
"""

from __future__ import annotations

import shutil
import subprocess
import tarfile
from pathlib import Path, PurePosixPath

from ticklab.bootstrap.step import Log
from ticklab.description.boot import PackageFile
from ticklab.errors import TicklabError

_HELPER = "/usr/lib/apt/apt-helper"


def fetch(log: Log, wanted: PackageFile, *others: PackageFile) -> None:
    """Downloads a package and extracts the wanted files."""
    folder = wanted.path.parents[len(PurePosixPath(wanted.file).parents) - 1]
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    package = folder / PurePosixPath(wanted.package).name
    _download(log, wanted, package)
    for each in (wanted, *others):
        _extract(package, each)
    package.unlink()


def _download(log: Log, wanted: PackageFile, package: Path) -> None:
    """Tries each mirror in turn, because security updates have a mirror of their own."""
    for mirror in _mirrors(log):
        words = (f"{mirror}{wanted.package}", package, f"SHA256:{wanted.sha256}")
        try:
            log.run(wanted.name, [_HELPER, "download-file", *words], "")
            return
        except TicklabError:
            continue
    raise TicklabError(
        f"no mirror of this machine has {wanted.name} (its SHA-256 is {wanted.sha256}): Debian "
        "removes a version when a newer one comes",
        "name a newer version and its hash in the description, or add an archive that keeps every "
        f"version to apt's sources (log: {log.path})",
    )


def _mirrors(log: Log) -> list[str]:
    hint = "this comes from a package of Debian: set it up on a machine with apt"
    question = ["apt-get", "indextargets", "--format", "$(REPO_URI)", "Created-By: Packages"]
    return list(dict.fromkeys(log.run("finding Debian's mirrors", question, hint).splitlines()))


def _extract(package: Path, wanted: PackageFile) -> None:
    with (
        subprocess.Popen(
            ["dpkg-deb", "--fsys-tarfile", package], stdout=subprocess.PIPE
        ) as archive,
        tarfile.open(fileobj=archive.stdout, mode="r|") as files,
    ):
        for member in files:
            if PurePosixPath(member.name) == PurePosixPath(wanted.file):
                _keep(files, member, wanted.path)
                archive.kill()
                return
    raise TicklabError(f"{wanted.name} has no {wanted.file}", "correct its path in the description")


def _keep(files: tarfile.TarFile, member: tarfile.TarInfo, path: Path) -> None:
    data = files.extractfile(member)
    if data is None:
        raise TicklabError(
            f"{member.name} is no regular file", "correct its path in the description"
        )
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data.read())
