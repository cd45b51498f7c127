# SPDX-License-Identifier: MIT
"""Renders the files of the site: pages from templates (*.jinja), JSON, badges and bundles. A page
asks no other host for anything and needs no script; the content security policy forbids both."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from jinja2 import Environment

from ticklab.explain import categories
from ticklab.site import badge, claim_file, claims, index, names, suites
from ticklab.site.claims import Claim
from ticklab.site.contents import Site, SiteRun
from ticklab.site.suites import MeasuredSuite
from ticklab.storage import bundle
from ticklab.storage.bundle import Bundle
from ticklab.summary import ranking
from ticklab.summary.matrix import Column, Row, row_label
from ticklab.views import charts, json, latency, provenance, templates
from ticklab.views.latency import Latency

_FOLDER = Path(__file__).parent
_STYLES = ("report.css", "answer.css", "matrix.css", "charts.css", "latency.css")
STYLE = "style.css"

# The path of a file from the root of the site, and its content.
File = tuple[str, bytes]


def files(site: Site) -> Iterator[File]:
    """Yields every file of the site."""
    engine = _Pages(site)
    yield "index.json", json.dumps(index.document(site)).encode()  # first: it marks the folder
    yield STYLE, _style().encode()
    yield from engine.lists()
    for kernel in site.kernels:
        yield engine.page("kernel", index.kernel_page(kernel), kernel=kernel)
    for scenario in site.scenarios:
        yield engine.page("scenario", scenario.page, scenario=scenario)
    for service in site.services:
        yield engine.page("service", index.service_page(service), service=service)
    for run in site.runs:
        yield from _run(engine, run)


def _style() -> str:
    folder = Path(templates.__file__).parent
    own = (_FOLDER / "site.css").read_text()
    return "".join((*((folder / name).read_text() for name in _STYLES), own))


def _run(engine: _Pages, one: SiteRun) -> Iterator[File]:
    yield engine.page("run", one.page, one=one)
    yield one.file("json"), json.dumps(json.document(one.run, engine.site.wish.reference)).encode()
    if one.bundle:
        yield one.bundle, _bundle(one)
    for claim in engine.site.every_claim(one):
        yield engine.page("claim", claim.page, claim=claim, one=one)
        yield claim.file("json"), claim_file.text(claim, one.entries).encode()
        yield claim.file("svg"), badge.svg(claim).encode()


def _bundle(one: SiteRun) -> bytes:
    """Returns the bundle of a run, without images; `verify` builds them."""
    with tempfile.TemporaryDirectory(prefix="ticklab-") as scratch:
        file = Path(scratch, "run.bundle")
        bundle.write(Bundle(one.kept, {}), file, Path(scratch))
        return file.read_bytes()


class _Pages:
    """The template engine with the functions that the templates of one site call."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self._engine: Environment = templates.environment(_FOLDER)
        self._engine.globals.update(site=site, grades=provenance.GRADES, label=claims.label)
        self._engine.globals.update(definitions=ranking.DEFINITIONS, headline=provenance.headline)
        self._engine.globals.update(kernel_page=index.kernel_page, service_page=index.service_page)
        self._engine.globals.update(
            run_page=suites.run_page,
            ranges=_ranges,
            latency=_latency,
            safe=names.safe,
            vars_of=vars,
        )
        self._engine.globals.update(
            mean_links=self._mean_links, kernel_links=_kernel_links, cell_links=self._cell_links,
            reproduce=claim_file.command, can_be_measured=claim_file.can_be_measured,
            own_provenance=claim_file.provenance, kinds=categories.titles(),
        )  # fmt: skip

    def page(self, template: str, path: str, **values: Any) -> File:
        up = "../" * path.count("/")
        text = self._engine.get_template(f"{template}.html.jinja").render(up=up, **values)
        return path, text.encode()

    def lists(self) -> Iterator[File]:
        yield self.page("index", "index.html")
        for name in ("kernels", "scenarios", "services", "runs"):
            yield self.page(name, f"{name}/index.html")

    def _mean_links(self, one: MeasuredSuite, up: str) -> list[str | None]:
        """Returns the address of the claim of each mean, in the order of the panel's columns."""
        means = self.site.claims_of(one).means
        columns = one.panels.columns if one.panels else ()
        return [up + means[column].page if column in means else None for column in columns]

    def _cell_links(self, one: MeasuredSuite, up: str) -> list[list[str | None]]:
        found, panels = self.site.claims_of(one).figures, one.panels
        rows, columns = (panels.rows, panels.columns) if panels else ((), ())
        return [[_address(found.get((row, column)), up) for column in columns] for row in rows]


def _kernel_links(one: MeasuredSuite, up: str) -> list[str]:
    columns = one.panels.columns if one.panels else ()
    return [up + index.kernel_page(column.kernel) for column in columns]


def _address(claim: Claim | None, up: str) -> str | None:
    return up + claim.page if claim else None


def _latency(one: MeasuredSuite, row: Row) -> Latency | None:
    """Returns the latency curves of a row with sweeps, over each other. They are in instructions,
    because cycles would need the samples, which the site does not have."""
    return latency.overlay(one.matrix, row, (), None, lambda *_: None, None)


def _ranges(one: MeasuredSuite, row: Row, columns: list[Column] | None = None) -> Any:
    """Returns the chart of a row, which is the same as in the report."""
    passed = [(claims.label(c), r) for c, r in one.passed(row) if columns is None or c in columns]
    scale, found = charts.ranges(passed)
    return {"label": row_label(row, one.matrix.rows), "scale": scale, "ranges": found}
