# SPDX-License-Identifier: MIT
"""Reads kernel.toml, the description of a kernel (docs/reference/descriptions.md explains the
keys)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence, Set
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath
from typing import Any, NoReturn

from ticklab import names
from ticklab.description import default_categories, extends, fields, keys, table
from ticklab.description.architecture import architectures, cores
from ticklab.description.boot import Boot, PackageFile
from ticklab.description.features import FEATURES, Feature, Value, defaults
from ticklab.description.kernel_tables import (
    THREAD_METRIC,
    CategoryTable,
    ConfigTable,
    FactTable,
    KernelFile,
    KernelTable,
    PartTable,
)
from ticklab.description.model import (
    CATEGORIES,
    CategoryRule,
    Config,
    CrateSource,
    Fact,
    Kernel,
    PartSources,
)
from ticklab.description.table import Place

_PORT = "port.c"  # the usual name of the source that defines the services


def read_kernel(folder: Path) -> Kernel:
    """Reads kernels/<name>/kernel.toml, or the same file in a user's folder."""
    file = Place(folder / extends.FILE)
    whole = table.convert(extends.read(folder), KernelFile, file)
    found, place = whole.kernel, file.inside("kernel")
    by_arch = _parts(file, "arch", folder, whole.arch, architectures())
    by_core = _parts(file, "core", folder, whole.core, cores())
    services = _with_implied(frozenset(found.services))
    _check_source(place, found, (*by_arch.values(), *by_core.values()))
    return Kernel(
        name=found.name,
        title=found.title,
        version=found.version,
        folder=folder,
        source=_source(found),
        sources=keys.sources(place, "sources", folder, found.sources),
        libraries=keys.sources(place, "libraries", folder, found.libraries),
        flags=found.flags,
        port=_port(place, found),
        apart=keys.sources(place, "apart", folder, found.apart),
        includes=found.includes,
        by_arch=by_arch,
        by_core=by_core,
        defines=keys.texts(found.defines),
        objects=whole.objects,
        interface=found.interface,
        services=services,
        features={
            **defaults(services, found.interface == THREAD_METRIC),
            **features(file, whole.features, services),
        },
        configs=_configs(file, folder, whole.config, services),
        ranked=_ranked(place, found, whole.config),
        facts=tuple(map(_fact, whole.fact)),
        cores=_cores(file, by_arch, by_core),
        linker_script=keys.optional_file(place, "linker_script", folder, found.linker_script),
        generate=keys.optional_file(place, "generate", folder, found.generate),
        close=keys.optional_file(place, "close", folder, found.close),
        user_sources=keys.sources(place, "user_sources", folder, found.user_sources),
        categories=_categories(file, folder, whole, (*by_arch.values(), *by_core.values())),
        suspension=_suspension(whole),
        without_isolation=found.without_isolation,
        protection=found.protection,
        interest=found.interest,
        tasks=found.tasks,
        boot=_boot(whole),
        rust=_rust(place, folder, found),
        priorities=found.priorities,
        switches_by_interrupt=found.switches_by_interrupt,
    )


def _configs(
    file: Place, folder: Path, found: Mapping[str, ConfigTable], services: Set[str]
) -> dict[str, Config]:
    if "default" not in found:
        file.fail("config.default", "is missing", "every kernel has a default")
    place = file.inside("config")
    return {
        name: _config(place.inside(name), folder, name, row, services)
        for name, row in found.items()
    }


def _config(
    place: Place, folder: Path, name: str, found: ConfigTable, services: Set[str]
) -> Config:
    if found.arch is not None and found.arch not in architectures():
        place.fail("arch", f"is {found.arch}", names.suggestion(found.arch, architectures()))
    return Config(
        name=name,
        header=keys.file(place, "header", folder, found.header),
        reason=found.reason,
        defines=keys.texts(found.defines),
        core=found.core,
        arch=found.arch,
        tick_hz=found.tick_hz,
        features=features(place, found.features, services),
        without_services=frozenset(found.without_services),
        sources=keys.sources(place, "sources", folder, found.sources),
        includes=found.includes,
        protection=found.protection,
        command_line=found.command_line,
        rust_features=found.rust_features,
    )


def _boot(whole: KernelFile) -> Boot | None:
    found = whole.boot
    if found is None:
        return None
    package = PackageFile(found.package, found.sha256, found.kernel)
    return Boot(package)


def _parts(
    file: Place, key: str, folder: Path, found: Mapping[str, PartTable], known: Iterable[str]
) -> dict[str, PartSources]:
    """Returns the sources that the tables [arch.NAME] or [core.NAME] add, by architecture or
    core."""
    for name in found:
        if name not in known:
            file.fail(f"{key}.{name}", "is unknown", names.suggestion(name, known))
    place = file.inside(key)
    return {
        name: PartSources(
            keys.sources(place.inside(name), "sources", folder, row.sources),
            row.includes,
            row.rust_features,
        )
        for name, row in found.items()
    }


def _cores(file: Place, by_arch: Iterable[str], by_core: Iterable[str]) -> frozenset[str]:
    """Returns the cores that the kernel supports. For each architecture that it names, these are
    all cores of the architecture, or only those that the description also names."""
    every = cores()
    distinguished = {every[name].arch.name for name in by_core}
    whole_architectures = set(by_arch) - distinguished
    found = {name for name, core in every.items() if core.arch.name in whole_architectures}
    if not found and not distinguished:
        file.fail("arch", "is missing", "name where the kernel runs: [arch.NAME] or [core.NAME]")
    return frozenset(found.union(by_core))


def _ranked(place: Place, found: KernelTable, known: Iterable[str]) -> tuple[str, ...]:
    for name in found.ranked:
        if name not in known:
            place.fail("ranked", f"names '{name}'", names.suggestion(name, known))
    return found.ranked


def _port(place: Place, found: KernelTable) -> str | None:
    """Returns the source file of the port, which defines the services. If the description names
    none, this is the only port.c in `sources`. Returns None if there is no such file, because the
    port is generated or in a library."""
    if found.port is not None:
        if not any(fnmatchcase(found.port, name) for name in found.sources):
            place.fail("port", f"is '{found.port}'", "name one of 'sources'")
        return found.port
    own = (name for name in found.sources if not name.startswith("@/"))
    ports = [name for name in own if PurePosixPath(name).name == _PORT]
    return ports[0] if len(ports) == 1 else None


def _rust(place: Place, folder: Path, found: KernelTable) -> Path | None:
    """Returns the folder of the kernel's crate. Raises an error if Cargo.toml or Cargo.lock is
    missing."""
    if found.rust is None:
        return None
    own = place.inside("rust")
    manifest = keys.file(own, "manifest", folder, found.rust.manifest)
    if not manifest.with_name("Cargo.lock").is_file():
        hint = f"make it with 'cargo generate-lockfile --manifest-path {manifest}'"
        own.fail("manifest", f"names {manifest}, which has no Cargo.lock beside it", hint)
    return manifest.parent


def _source(found: KernelTable) -> CrateSource | None:
    source = found.source
    return CrateSource(source.crate, source.version, source.folder) if source else None


def _check_source(place: Place, found: KernelTable, parts: Iterable[PartSources]) -> None:
    """Raises an error if a path begins with "@/", which stands for the folder of the kernel's
    source package, but the description names no package."""
    listed = [*found.sources, *found.includes, *found.libraries]
    for part in parts:
        listed += [*part.sources, *part.includes]
    if found.source is None and any(name.startswith("@/") for name in listed):
        place.fail("source", "is missing", '"@/" in a path stands for the folder that it names')


def _with_implied(services: frozenset[str]) -> frozenset[str]:
    return services | {
        fields.IMPLIED_SERVICES[name] for name in services & fields.IMPLIED_SERVICES.keys()
    }


def features(place: Place, found: Mapping[str, Any], services: Set[str]) -> dict[str, Value]:
    """Returns the features in the table `features` at `place`. Features of a service are in a
    nested table with the service's name."""
    inside = place.inside("features")
    read: dict[str, Value] = {}
    for key, value in found.items():
        if isinstance(value, dict):
            for name, each in value.items():
                read[f"{key}.{name}"] = _feature(inside.inside(key), name, f"{key}.{name}", each)
        else:
            read[key] = _feature(inside, key, key, value)
    for name in read:
        if missing := sorted(FEATURES[name].services - services):
            inside.fail(
                name,
                f"belongs to {', '.join(missing)}, which the kernel does not list",
                "add it to 'services', or remove the feature",
            )
    return read


def _feature(place: Place, key: str, name: str, value: Any) -> Value:
    if name not in FEATURES:
        place.fail(key, "is no feature", names.suggestion(name, FEATURES))
    feature = FEATURES[name]
    if isinstance(value, str) and feature.may_be_qualified:
        return _extent(place, key, value)
    # The types are compared too, because 1 equals True in Python.
    known = [each for each in feature.values if type(each) is type(value) and each == value]
    return known[0] if known else _refuse(place, key, feature, value)


def _refuse(place: Place, key: str, feature: Feature, value: Any) -> NoReturn:
    shown = f"'{value}'" if isinstance(value, str) else repr(value)
    may = "may" if feature.has_words else "must"
    words = " or ".join(keys.text(each) for each in feature.values)
    place.fail(key, f"is {shown}", f"it {may} be {words}")


def _extent(place: Place, key: str, text: str) -> str:
    """Returns `text`, a feature's value in words, such as "memory only" for isolation of the memory
    alone. Raises an error for texts such as "true" and "no", which are meant as values."""
    if not text.strip():
        place.fail(key, "is empty", "write true, false, or the extent of the feature")
    if text.strip().lower() in ("true", "false", "yes", "no", "on", "off", "none"):
        place.fail(key, f"is '{text}'", "write true or false, without quotes")
    return text


def _fact(found: FactTable) -> Fact:
    return Fact(found.name, found.value, found.source, found.date.isoformat())


def _suspension(whole: KernelFile) -> dict[str, str]:
    found = whole.suspension
    return {"begin": found.begin, "end": found.end} if found else {}


def _categories(
    file: Place, folder: Path, whole: KernelFile, parts: Sequence[PartSources]
) -> tuple[CategoryRule, ...]:
    if whole.category:
        rows = enumerate(whole.category, 1)
        return tuple(_category(file.inside(f"category {number}"), row) for number, row in rows)
    found = whole.kernel
    return default_categories.rules(
        folder,
        _port(file.inside("kernel"), found),
        [*found.sources, *(name for part in parts for name in part.sources)],
        [*found.includes, *(name for part in parts for name in part.includes)],
    )


def _category(place: Place, found: CategoryTable) -> CategoryRule:
    if found.name not in CATEGORIES:
        place.fail("name", f"is '{found.name}'", f"it may be {' or '.join(CATEGORIES)}")
    rule = CategoryRule(found.name, found.opcode, found.function, found.file)
    for key in ("opcode", "function", "file"):
        _check_pattern(place, key, getattr(rule, key))
    if not (rule.opcode or rule.function or rule.file):
        hint = "add 'function', 'file' or 'opcode': no rule after this one would ever match"
        place.fail("function", "is missing", hint)
    return rule


def _check_pattern(place: Place, key: str, pattern: str | None) -> None:
    try:
        re.compile(pattern or "")
    except re.error as error:
        place.fail(key, f"is no regular expression: {error}", "see Python's 're'")
