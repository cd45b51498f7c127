# SPDX-License-Identifier: MIT
"""Tests the published schemas: they are those of the types, and accept and refuse the same files as
Ticklab."""

from __future__ import annotations

import copy
import dataclasses
import datetime
import json
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import documents
import msgspec
import pytest
from jsonschema import Draft202012Validator
from synthetic import record, run, stats, unmeasured

from ticklab import paths
from ticklab.description import extends, toml_file
from ticklab.description.model import Call, Curve, Cycles, Rate, Sampled, Status, WorstCase
from ticklab.documents import command_line, description_keys, schemas, site
from ticklab.views import json as view
from ticklab.views import run_document

PLACES = {
    "kernel": ("kernels/**/kernel.toml", "docs/examples/**/kernel.toml"),
    "suite": ("bench/**/suite.toml",),
    "board": ("platform/boards/*/board.toml", "docs/examples/**/board.toml"),
    "core": ("platform/cores/*.toml",),
    "arch": ("platform/arch/*/arch.toml",),
    "recipe": ("bench/recipes/*.toml",),
    "ticklab": ("lab/tests/fixtures/ticklab.toml",),
    "known-kernels": ("lab/src/ticklab/data/kernels.toml",),
    "system": ("bulkhead/**/system.toml",),
    "app": ("docs/examples/**/app.toml",),
    "campaign": ("docs/examples/**/campaign.toml",),
}
REFERENCES = ("descriptions", "bulkhead-declaration")


def described(name: str) -> list[Path]:
    return [file for pattern in PLACES[name] for file in sorted(paths.CHECKOUT.glob(pattern))]


EVERY = [(name, file) for name in schemas.FILES for file in described(name)]


def as_json(value: Any) -> Any:
    """Returns entries of a TOML file as JSON, which has no dates."""
    if isinstance(value, dict):
        return {key: as_json(each) for key, each in value.items()}
    if isinstance(value, list):
        return [as_json(each) for each in value]
    return value.isoformat() if isinstance(value, datetime.date) else value


def mistakes(name: str, entries: dict[str, Any]) -> list[str]:
    return documents.mistakes(name, as_json(entries))


@pytest.mark.parametrize("name", schemas.EVERY)
def test_a_published_schema_is_that_of_the_types(name: str) -> None:
    Draft202012Validator.check_schema(schemas.schema(name))
    assert schemas.file(name).read_text() == schemas.text(name), "run 'ticklab docs generate'"


def test_no_other_schema_is_published() -> None:
    assert set(schemas.FOLDER.iterdir()) == {schemas.file(name) for name in schemas.EVERY}


@pytest.mark.parametrize(("name", "file"), EVERY, ids=[str(file) for _, file in EVERY])
def test_every_description_of_the_checkout_fits(name: str, file: Path) -> None:
    assert mistakes(name, toml_file.load(file)) == []
    if name == "kernel" and "_shared" not in file.parts:
        assert mistakes(name, extends.read(file.parent)) == []


def test_there_are_files_of_every_kind() -> None:
    assert {name for name, _ in EVERY} == set(schemas.FILES)
    assert len(EVERY) > 40


def tables(value: Any, path: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """Yields the tables of a file whose keys the schema must name."""
    if isinstance(value, dict):
        yield path, value
        for key, each in value.items():
            yield from tables(each, f"{path}.{key}")
    if isinstance(value, list):
        for each in value:
            yield from tables(each, f"{path}[]")


# Tables whose keys are names that the author chooses.
FREE = re.compile(r"\.(defines|params|memory|marks|where|faults|span)$")
FREE_IN_KERNELS = (".arch", ".core", ".config", ".objects")


def is_free(name: str, path: str) -> bool:
    return bool(FREE.search(path)) or (name == "kernel" and path in FREE_IN_KERNELS)


@pytest.mark.parametrize("name", schemas.FILES)
def test_an_unknown_key_is_refused_in_every_table(name: str) -> None:
    entries = toml_file.load(described(name)[0])
    checked = 0
    for path, _ in list(tables(entries)):
        changed = copy.deepcopy(entries)
        if not is_free(name, path):
            dict(tables(changed))[path]["unknown"] = 1
            assert any("unknown" in mistake for mistake in mistakes(name, changed)), path
            checked += 1
    assert checked > 1


@pytest.mark.parametrize(
    ("name", "path", "value"),
    [
        ("kernel", ".kernel", {"services": ["yeild"]}),
        ("kernel", ".kernel", {"name": "Mine!"}),
        ("kernel", ".features", {"checks": 1}),
        ("board", ".board", {"clock_hz": 0}),
        ("board", ".board", {"memory": {"code": [0]}}),
        ("board", "", {"target": {}}),
        ("suite", ".suite", {"title": " "}),
        ("core", ".core", {"has_fpu": "yes"}),
    ],
)
def test_a_wrong_value_is_refused(name: str, path: str, value: dict[str, Any]) -> None:
    entries = toml_file.load(described(name)[0])
    dict(tables(entries))[path].update(value)
    assert mistakes(name, entries)


def test_the_reference_has_every_table_and_key() -> None:
    pages = [site.DOCS / "reference" / f"{name}.md" for name in REFERENCES]
    text = "".join(site.prepared(page.read_text()) for page in pages)
    for name in schemas.FILES:
        assert description_keys.markdown(name).splitlines()[0] in text
    for table in ("[kernel]", "[config.NAME]", "[[fact]]", "[target.qemu]", "[scenario.span.NAME]"):
        assert f"\n### `{table}`\n" in text
    row = '| `interface` | bench or thread-metric or async; default `"bench"` |'
    assert row in text
    assert all(line.count(" | ") == 2 for line in text.splitlines() if line.startswith("| `"))


def test_every_key_has_a_meaning() -> None:
    for name in schemas.FILES:
        rows = [row for row in description_keys.markdown(name).splitlines() if row[:3] == "| `"]
        assert rows
        assert [row for row in rows if row.endswith("|  |")] == []


# --- The JSON of the commands ---------------------------------------------------------------------

OF_COMMANDS = [name for name, each in schemas.DOCUMENTS.items() if each.commands]


def test_every_command_with_json_has_a_schema() -> None:
    named = {name for each in schemas.DOCUMENTS.values() for name in each.commands}
    assert command_line.with_option("--json") == named


def test_a_test_validates_the_json_of_every_command() -> None:
    tests = "".join(file.read_text() for file in Path(__file__).parent.glob("test_*.py"))
    assert {name for name in OF_COMMANDS if f'fits("{name}", ' not in tests} == set()


def test_the_reference_has_every_field_of_every_document() -> None:
    text = site.prepared((site.DOCS / "reference" / "json.md").read_text())
    assert {name for name in OF_COMMANDS if f"(schemas/{name}.schema.json)" not in text} == set()
    rows = [row for row in text.splitlines() if row.startswith("| `")]
    assert len(rows) > 150
    assert [row for row in rows if re.search(r"\|\s+\|$", row)] == []


# --- The JSON of a run ----------------------------------------------------------------------------


def document() -> Any:
    """The JSON of a run with every kind of result."""
    curve = Curve((9, 12), 2, "give+0x4", "give+0x8", {"give": 3}, calls=(Call(0, "give", 3, 3),))
    usual = record()
    assert isinstance(usual.result, Sampled)
    fields = {
        field.name: getattr(usual.result, field.name) for field in dataclasses.fields(Sampled)
    }
    rate, clocked = Rate(1, 2, "passes"), Cycles(stats(3), stats(3), None)
    more = (
        replace(usual, scenario="sweep", result=WorstCase(**fields, curve=curve)),
        replace(usual, scenario="rate", result=replace(usual.result, per_second=rate)),
        replace(usual, scenario="clocked", result=replace(usual.result, cycles=clocked)),
        unmeasured("null", "x", Status.UNSUPPORTED, "lacks service queue"),
    )
    whole = run()
    return json.loads(view.dumps(view.document(replace(whole, records=(*whole.records, *more)))))


def test_the_json_of_a_run_fits() -> None:
    found = document()
    assert mistakes(schemas.RUN, found) == []
    assert found["summary"]


@pytest.mark.parametrize(
    "path", ["", ".records[]", ".records[].instructions", ".summary[].means[]"]
)
def test_an_unknown_and_a_missing_field_of_the_json_are_refused(path: str) -> None:
    more, less = document(), document()
    dict(tables(more))[path]["unknown"] = 1
    dict(tables(less))[path].popitem()
    assert mistakes(schemas.RUN, more)
    assert mistakes(schemas.RUN, less)


def test_the_reference_has_every_field_of_the_json() -> None:
    text = site.prepared((site.DOCS / "reference" / "json.md").read_text())
    for kind in run_document.OBJECTS.values():
        for field in msgspec.structs.fields(kind):
            assert re.search(rf"\| `{field.name}` \| \S", text), field.name
