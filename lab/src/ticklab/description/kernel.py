# SPDX-License-Identifier: MIT
"""Reads kernel.toml, the description of a kernel (docs/reference/descriptions.md explains the
keys)."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterable, Set
from pathlib import Path

from ticklab import names
from ticklab.description import extends, fields
from ticklab.description.architecture import architectures, cores
from ticklab.description.features import FEATURES, Protection, Value, defaults
from ticklab.description.model import (
    CATEGORIES,
    CategoryRule,
    Config,
    CrateSource,
    Fact,
    Kernel,
    PartSources,
)
from ticklab.description.toml_table import Table
from ticklab.errors import UsageError

BENCH, THREAD_METRIC = INTERFACES = ("bench", "thread-metric")


def read_kernel(folder: Path) -> Kernel:
    """Reads kernels/<name>/kernel.toml, or the same file in a user's folder."""
    whole = Table(folder / extends.FILE, "", extends.read(folder))
    table = whole.table("kernel")
    by_arch = _parts(whole, "arch", folder, architectures())
    by_core = _parts(whole, "core", folder, cores())
    services = _with_implied(fields.services(table))
    interface = table.choice("interface", INTERFACES, BENCH)
    configs = {name: _config(folder, name, row, services) for name, row in whole.tables("config")}
    kernel = Kernel(
        name=fields.name(table, "name"),
        title=table.text("title"),
        version=table.text("version"),
        folder=folder,
        source=_source(table),
        sources=fields.files(table, "sources", folder),
        libraries=fields.files(table, "libraries", folder, ()),
        flags=table.texts("flags", ()),
        apart=fields.files(table, "apart", folder, ()),
        includes=table.texts("includes", ()),
        by_arch=by_arch,
        by_core=by_core,
        defines=table.mapping("defines"),
        objects=whole.mapping("objects"),
        interface=interface,
        services=services,
        features={
            **defaults(services, interface == THREAD_METRIC),
            **features(whole, services),
        },
        configs=configs,
        ranked=_ranked(table, configs),
        facts=tuple(_fact(row) for row in whole.rows("fact", ())),
        cores=_cores(whole, by_arch, by_core),
        linker_script=fields.optional_file(table, "linker_script", folder),
        generate=fields.optional_file(table, "generate", folder),
        close=fields.optional_file(table, "close", folder),
        user_sources=fields.files(table, "user_sources", folder, ()),
        categories=tuple(_category(row) for row in whole.rows("category", ())),
        suspension=_suspension(whole),
        without_isolation=_optional(table, "without_isolation"),
        protection=_protection(table),
        interest=_optional(table, "interest"),
    )
    _needs_source(table, kernel)
    table.end()
    whole.end()
    return kernel


def _config(folder: Path, name: str, table: Table, services: Set[str]) -> Config:
    config = Config(
        name=name,
        header=fields.file(table, "header", folder),
        reason=table.text("reason"),
        defines=table.mapping("defines"),
        core=_optional(table, "core"),
        tick_hz=table.number("tick_hz", minimum=1) if "tick_hz" in table else None,
        features=features(table, services),
        without_services=fields.services(table, "without_services", ()),
        sources=fields.files(table, "sources", folder, ()),
        includes=table.texts("includes", ()),
        protection=_protection(table),
    )
    table.end()
    return config


def _protection(table: Table) -> Protection | None:
    key = "protection"
    return Protection(table.choice(key, tuple(Protection))) if key in table else None


def _parts(whole: Table, key: str, folder: Path, known: Iterable[str]) -> dict[str, PartSources]:
    """Reads the tables [arch.NAME] or [core.NAME]."""
    parts = {}
    for name, table in whole.tables(key):
        if name not in known:
            whole.fail(f"{key}.{name}", "is unknown", names.suggestion(name, known))
        parts[name] = PartSources(
            fields.files(table, "sources", folder, ()), table.texts("includes", ())
        )
        table.end()
    return parts


def _cores(whole: Table, by_arch: Iterable[str], by_core: Iterable[str]) -> frozenset[str]:
    """Returns the cores of all architectures that are named; of an architecture of which the kernel
    names cores, only these."""
    every = cores()
    distinguished = {every[name].arch.name for name in by_core}
    whole_architectures = set(by_arch) - distinguished
    found = {name for name, core in every.items() if core.arch.name in whole_architectures}
    if not found and not distinguished:
        whole.fail("arch", "is missing", "name where the kernel runs: [arch.NAME] or [core.NAME]")
    return frozenset(found.union(by_core))


def _optional(table: Table, key: str) -> str | None:
    return table.text(key) if key in table else None


def _ranked(table: Table, configs: Iterable[str]) -> tuple[str, ...]:
    known = list(configs)
    if "default" not in known:
        raise UsageError(f"{table.file}: [config.default] is missing", "every kernel has a default")
    ranked = table.texts("ranked", ("default",))
    for name in ranked:
        if name not in known:
            table.fail("ranked", f"names '{name}'", names.suggestion(name, known))
    return ranked


def _source(table: Table) -> CrateSource | None:
    if "source" not in table:
        table.table("source", optional=True)
        return None
    source = table.table("source")
    crate = CrateSource(source.text("crate"), source.text("version"), source.text("folder", "."))
    source.end()
    return crate


def _needs_source(table: Table, kernel: Kernel) -> None:
    """Checks that a path that begins with "@/" has a source, because it lies in the folder of the
    source."""
    listed = [*kernel.sources, *kernel.includes, *kernel.libraries]
    for part in (*kernel.by_arch.values(), *kernel.by_core.values()):
        listed += [*part.sources, *part.includes]
    if kernel.source is None and any(name.startswith("@/") for name in listed):
        table.fail("source", "is missing", '"@/" in a path stands for the folder that it names')


def _with_implied(services: frozenset[str]) -> frozenset[str]:
    return services | {
        fields.IMPLIED_SERVICES[name] for name in services & fields.IMPLIED_SERVICES.keys()
    }


def features(whole: Table, services: Set[str]) -> dict[str, Value]:
    """Reads a table of features. A table inside it has the features of one of the services."""
    table = whole.table("features", optional=True)
    found: dict[str, Value] = {}
    for key, value in table.entries.items():
        if isinstance(value, dict):
            inside = table.table(key)
            found |= {f"{key}.{name}": _feature(inside, name, f"{key}.{name}") for name in value}
        else:
            found[key] = _feature(table, key, key)
    for name in found:
        if missing := sorted(FEATURES[name].services - services):
            table.fail(name, f"is a feature of {', '.join(missing)}", "name it in 'services'")
    return found


def _feature(table: Table, key: str, name: str) -> Value:
    if name not in FEATURES:
        table.fail(key, "is no feature", names.suggestion(name, FEATURES))
    feature = FEATURES[name]
    if feature.may_be_qualified:
        return table.flag_or_text(key)
    if isinstance(feature.default, str):
        return table.choice(key, tuple(map(str, feature.values)))
    return table.flag(key)


def _fact(table: Table) -> Fact:
    name, value, source = (table.text(key) for key in ("name", "value", "source"))
    fact = Fact(name, value, source, _date(table))
    table.end()
    return fact


def _suspension(whole: Table) -> dict[str, str]:
    """Reads both functions or none: without an end, a suspension would last forever."""
    functions = whole.mapping("suspension")
    if functions and set(functions) != {"begin", "end"}:
        whole.fail(
            "suspension", "does not name the functions that begin and end a suspension", "name both"
        )
    return functions


def _category(table: Table) -> CategoryRule:
    patterns = (_regex(table, key) for key in ("opcode", "function", "file"))
    rule = CategoryRule(table.choice("name", tuple(CATEGORIES)), *patterns)
    if not (rule.opcode or rule.function or rule.file):
        hint = "add 'function', 'file' or 'opcode': no rule after this one would ever match"
        table.fail("function", "is missing", hint)
    table.end()
    return rule


def _regex(table: Table, key: str) -> str | None:
    if key not in table:
        return None
    text = table.text(key)
    try:
        re.compile(text)
    except re.error as error:
        table.fail(key, f"is no regular expression: {error}", "see Python's 're'")
    return text


def _date(table: Table) -> str:
    """Reads the date of a check. TOML has dates of its own; a text is accepted as well."""
    value = table.entries.get("date", "")
    if isinstance(value, datetime.date):
        table.entries["date"] = value.isoformat()
    text = table.text("date")
    try:
        return datetime.date.fromisoformat(text).isoformat()
    except ValueError:
        table.fail("date", f"is '{text}'", "write YYYY-MM-DD")
