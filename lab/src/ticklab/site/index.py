# SPDX-License-Identifier: MIT
"""Writes the index of the site for programs: what the site has, and where. documents.py has the
fields."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from msgspec import to_builtins

from ticklab.site import documents
from ticklab.site.claims import Claim
from ticklab.site.contents import Site, SiteRun
from ticklab.site.documents import ClaimEntryFields, LeaderFields, PageFields, RunEntryFields
from ticklab.site.names import safe
from ticklab.site.suites import MeasuredSuite
from ticklab.summary.answer import Answer, RankedKernel
from ticklab.views import json, sentence


def document(site: Site) -> Any:
    """Returns the index as plain JSON values."""
    return to_builtins(
        documents.IndexFields(
            schema=documents.SCHEMA,
            generator=documents.GENERATOR,
            title=site.wish.title,
            leaderboards=[_board(site, one, one.answer) for one in site.leaderboards if one.answer],
            kernels=[PageFields(name, kernel_page(name)) for name in site.kernels],
            scenarios=[PageFields(f"{one.suite}/{one.name}", one.page) for one in site.scenarios],
            services=[PageFields(name, service_page(name)) for name in site.services],
            runs=[_run(run) for run in site.runs],
            claims=[_claim(claim) for run in site.runs for claim in site.every_claim(run)],
        )
    )


def kernel_page(name: str) -> str:
    return f"kernels/{safe(name)}.html"


def service_page(name: str) -> str:
    return f"services/{safe(name)}.html"


def _board(site: Site, one: MeasuredSuite, answer: Answer) -> documents.LeaderboardFields:
    return documents.LeaderboardFields(
        board=one.board,
        suite=one.suite,
        conditions=one.conditions,
        run=one.run.id,
        page=one.page,
        reference=answer.label,
        sentence=sentence.whole(answer, one.unit),
        kernels=[_leader(site, one, entry) for entry in answer.entries],
    )


def _leader(site: Site, one: MeasuredSuite, entry: RankedKernel) -> LeaderFields:
    claim = site.claims_of(one).means.get(entry.column)
    mean = json.mean_object(one.classes[entry.column], entry)
    return LeaderFields(**mean, claim=claim.page if claim else None)


def _run(one: SiteRun) -> RunEntryFields:
    return RunEntryFields(
        id=one.run.id,
        page=one.page,
        json=one.file("json"),
        bundle=one.bundle,
        command=list(one.run.provenance.get("command", ())),
        kernels=dict(one.origin),
        boards=list(dict.fromkeys(found.board for found in one.suites)),
        suites=list(dict.fromkeys(found.suite for found in one.suites)),
        records=len(one.run.records),
        failed=one.failed,
    )


def _claim(claim: Claim) -> ClaimEntryFields:
    row = claim.row
    return ClaimEntryFields(
        run=claim.run.id,
        name=claim.name,
        kind=claim.kind,
        board=claim.suite.board,
        suite=claim.suite.suite,
        scenario=row.scenario if row else None,
        span=row.span if row else None,
        params=dict(row.params) if row else {},
        **asdict(claim.column),
        page=claim.page,
        json=claim.file("json"),
        badge=claim.file("svg"),
    )
