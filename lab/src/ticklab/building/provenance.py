# SPDX-License-Identifier: MIT
"""Records what determined an image, in terms that mean the same on every machine.

The values of a kernel's configuration macros are read from the preprocessor's output, so every
`#if` has been evaluated.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from ticklab import digest, paths
from ticklab.building import assertions, flags, rust_library
from ticklab.building.plan import BuildPlan
from ticklab.building.sources import matching, placed
from ticklab.building.toolchain import Toolchain
from ticklab.description.model import Case

_MARKER = re.compile(r'# \d+ "(?P<file>.*?)"(?P<flags>[ \d]*)$')
_SYSTEM_HEADER = "3"
_DEFINE = re.compile(r"#define (?P<name>\w+(?:\([^)]*\))?) ?(?P<value>.*)$")
_UNDEFINE = re.compile(r"#undef (?P<name>\w+)$")


def of(case: Case, made: BuildPlan, toolchain: Toolchain) -> dict[str, Any]:
    """Returns the provenance of a case's image. It is the same for every code layout."""
    case = case.varied(layout=0)
    folder = paths.builds()
    config = {**values(folder / made.macros), **_own(case, case.variant.config.name)}
    default = {**values(folder / made.default_macros), **_own(case, "default")}
    return {
        "compiler": toolchain.version,
        **_rust(case, toolchain),
        "toolchain": toolchain.choice,
        "core": case.variant.core.name,
        "flags": [
            *flags.compile_flags(case),
            *flags.link_flags(case),
            *case.variant.kernel.flags,
            *toolchain.user,
        ],
        "kernel_defines": dict(case.variant.kernel.defines),
        "kernel_version": case.variant.kernel.version,
        "source": _pin(case),
        "sources_sha256": _own_sources(case),
        "config": config,
        "config_file_sha256": digest.hash_file(case.variant.config.header),
        "prebuilt": {
            name: digest.hash_file(placed(case, name)) for name in case.variant.kernel.libraries
        },
        "assertions": assertions.signs(_macros(case, config, toolchain), folder / made.image),
        "differs_from_default": {**toolchain.differences, **differences(default, config)},
    }


def _rust(case: Case, toolchain: Toolchain) -> dict[str, Any]:
    found = rust_library.provenance(case, toolchain.cargo)
    return {"rust": found} if found else {}


def _macros(case: Case, config: Mapping[str, str], toolchain: Toolchain) -> dict[str, str]:
    """Returns the macros that the configuration, the kernel's description and the compiler flags
    define."""
    flags_ = (*case.variant.kernel.flags, *toolchain.user)
    return {**assertions.defined(flags_), **case.variant.kernel.defines, **config}


def differences(default: Mapping[str, str], config: Mapping[str, str]) -> dict[str, str]:
    """Returns the macros whose values differ from those in the default configuration, each as
    "default -> value"."""
    absent = "(not defined)"
    pairs = {
        name: (default.get(name, absent), config.get(name, absent))
        for name in sorted({*default, *config})
    }
    return {name: f"{old} -> {new}" for name, (old, new) in pairs.items() if old != new}


def values(listing: Path) -> dict[str, str]:
    """Returns the macros of a configuration, parsed from the preprocessor's output `listing`."""
    stat = listing.stat()
    return _values(listing, stat.st_mtime_ns)


@cache
def _values(listing: Path, _changed: int) -> dict[str, str]:
    found: dict[str, str] = {}
    for line in _of_the_configuration(listing.read_text(errors="replace")):
        if defined := _DEFINE.match(line):
            found[defined["name"]] = defined["value"]
        elif undefined := _UNDEFINE.match(line):
            found.pop(undefined["name"], None)
    return {name: value for name, value in found.items() if value or not name.endswith("_H")}


def _of_the_configuration(listing: str) -> Iterator[str]:
    """Yields the lines of the preprocessor's output that come from the kernel's configuration
    files, not from the compiler or its library."""
    ours = False
    for line in listing.splitlines():
        if marker := _MARKER.match(line):
            ours = marker["file"][:1] != "<" and _SYSTEM_HEADER not in marker["flags"].split()
        elif ours:
            yield line


def _own(case: Case, config: str) -> Mapping[str, str]:
    """Returns the macros that the description of the kernel defines in addition to the
    configuration's header file."""
    known = case.variant.kernel.configs.get(config)
    return (known or case.variant.config).defines


def _own_sources(case: Case) -> dict[str, str]:
    """Returns the hashes of the kernel's sources if nothing else pins them: neither a package nor a
    commit of Ticklab. This is the case for a kernel in a user's folder."""
    kernel = case.variant.kernel
    if kernel.folder.is_relative_to(paths.CHECKOUT):
        return {}
    added = (name for part in kernel.parts(case.variant.core) for name in part.sources)
    named = (*kernel.sources, *added, *case.variant.config.sources)
    return {
        os.path.relpath(path, kernel.folder): digest.hash_file(path)
        for name in named
        if not name.startswith("@/")
        for path in matching(case, name)
    }


def _pin(case: Case) -> str:
    source = case.variant.kernel.source
    return f"{source.crate} {source.version}" if source else "in the kernel's folder"
