# SPDX-License-Identifier: MIT
"""Tests the static site of runs: the same runs give the same bytes, no link is broken, no page
requests anything from another host, and each claim has an address and the data that is needed to
measure it again."""

from __future__ import annotations

import json
import os
import posixpath
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import browser
import msgspec
import pytest
from jsonschema import Draft202012Validator
from synthetic import record, run, swept

from ticklab.commands import site as command
from ticklab.description.model import Curve, Fact, Run, SamplePlan, Status
from ticklab.documents import schemas
from ticklab.documents import site as documentation
from ticklab.errors import ExitStatus, UsageError
from ticklab.site import claim_file, contents, documents, folder, names, pages
from ticklab.site.contents import Declared, Site, Wish
from ticklab.storage import baseline, bundle
from ticklab.storage.baseline import Baseline, BaselineEntry
from ticklab.storage.store import Store

PLAN = SamplePlan(warm_up=1, samples=10, ticks=1)
DECLARED = Declared(
    {"rt": [Fact("licence", "Apache-2.0", "rt", "2026-11-20")]},
    {("thread-metric", "message-processing"): ("queue",)},
)
WIDTHS = (390, 800, 1400)


def kept(one: Run) -> Baseline:
    return baseline.make(one, lambda _: PLAN, lambda _: {})


def older() -> Run:
    """Returns the older of two runs: FreeRTOS takes more instructions to pass a message. It also
    has a curve, a configuration that is a path, and hostile names."""
    curve = Curve((9, 12), 2, "give+0x4", "give+0x8", {"give": 3})
    more = (
        swept(replace(record("rt", "give"), suite="worst-case"), curve),
        swept(replace(record("freertos", "give"), suite="worst-case"), curve),
        replace(record("rt", "message-processing", 90, 100), config="../my <b>/config.h"),
    )
    slower = record("freertos", "message-processing", 200, 260, 0, 40)
    return replace(run(), id="20261119-000000-aaaa", records=(slower, *run().records[4:], *more))


@pytest.fixture(scope="module")
def site() -> Site:
    return contents.gather([kept(run()), kept(older())], Wish(), DECLARED)


@pytest.fixture(scope="module")
def files(site: Site) -> dict[str, bytes]:
    return dict(pages.files(site))


@pytest.fixture(scope="module")
def written(site: Site, tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("site") / "public"
    folder.write(pages.files(site), place)
    return place


class Links(HTMLParser):
    """The addresses and the ids of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.ids: list[str] = []
        self.tags: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.links += [value or "" for name, value in attrs if name in ("href", "src")]
        self.ids += [value or "" for name, value in attrs if name == "id"]


def html_pages(files: dict[str, bytes]) -> Iterator[tuple[str, Links]]:
    for path, content in files.items():
        if path.endswith(".html"):
            yield path, Links(content.decode())


# --- Files of the site ----------------------------------------------------------------------------


def test_every_link_leads_to_a_file_of_the_site_and_every_file_is_reached(
    files: dict[str, bytes],
) -> None:
    ids = {path: links.ids for path, links in html_pages(files)}
    reached = {"index.html"}
    for path, links in html_pages(files):
        assert len(links.ids) == len(set(links.ids)), path
        for link in links.links:
            if link == "data:,":
                continue
            target, _, anchor = link.partition("#")
            found = posixpath.join(posixpath.dirname(path), target) if target else path
            found = posixpath.normpath(found)
            assert found in files, f"{path} links to {link}"
            assert not anchor or anchor in ids[found], f"{path} links to {link}"
            reached.add(found)
    assert reached == set(files)


def test_no_page_has_a_script_or_the_address_of_another_host(files: dict[str, bytes]) -> None:
    for path, links in html_pages(files):
        assert "script" not in links.tags, path
        assert [link for link in links.links if re.match(r"(?i)[a-z+]+:|//", link)] in (
            [],
            ["data:,"],
        )
    assert not re.search(r"url\(|@import", files["style.css"].decode())


def test_names_of_users_are_escaped_and_never_leave_the_folder(files: dict[str, bytes]) -> None:
    assert not [path for path in files if re.search(r"(^|/)\.|[^\w./=-]", path)]
    claim = next(path for path in files if "my-b-config.h" in path and path.endswith(".html"))
    assert b"my &lt;b&gt;/config.h" in files[claim]
    assert b"<b>/config" not in files[claim]


def test_names_of_files_are_safe_and_differ() -> None:
    assert names.safe("a", "", "b=1") == "a_b=1"
    assert names.safe("a b") != names.safe("a-b")
    assert names.safe("a_b", "c") != names.safe("a", "b_c")
    assert not names.safe("..", "x").startswith(".")
    assert len(names.safe("x" * 300)) < 200


BUILD = """
import sys
sys.path.insert(0, "tests")
from pathlib import Path
import test_static_site as tests
from ticklab.site import contents, folder, pages
runs = [tests.kept(tests.run()), tests.kept(tests.older())]
site = contents.gather(runs[:: int(sys.argv[2])], contents.Wish(), tests.DECLARED)
folder.write(pages.files(site), Path(sys.argv[1]))
"""


def test_the_same_runs_give_the_same_bytes(files: dict[str, bytes], tmp_path: Path) -> None:
    """Writes the site in another process, with other hashes of texts and runs in another
    order."""
    environment = {**os.environ, "PYTHONHASHSEED": "7", "TZ": "Asia/Tokyo", "LC_ALL": "C"}
    words = [sys.executable, "-c", BUILD, str(tmp_path / "again"), "-1"]
    lab = Path(__file__).parents[1]
    environment["PYTHONPATH"] = str(lab / "src")
    subprocess.run(words, cwd=lab, env=environment, check=True)
    again = {
        str(file.relative_to(tmp_path / "again")): file.read_bytes()
        for file in (tmp_path / "again").rglob("*")
        if file.is_file()
    }
    assert again.keys() == files.keys()
    assert [path for path in files if again[path] != files[path]] == []


def test_an_older_site_is_replaced_and_nothing_else(tmp_path: Path, site: Site) -> None:
    place = tmp_path / "public"
    (place / ".git").mkdir(parents=True)
    (place / ".git" / "head").touch()
    folder.write(pages.files(site), place)
    (place / "CNAME").touch()
    (place / "claims" / "old").mkdir()
    (place / "claims" / "old" / "gone.html").touch()
    before = (place / "index.html").stat().st_mtime_ns
    folder.write(pages.files(site), place)
    assert not (place / "claims" / "old").exists()
    assert (place / "CNAME").exists()
    assert (place / ".git" / "head").exists()
    assert (place / "index.html").stat().st_mtime_ns == before


def test_a_folder_with_other_content_is_refused(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(UsageError, match=r"contains notes.txt, and is not a site"):
        folder.write([], tmp_path)
    with pytest.raises(UsageError, match="is no folder"):
        folder.require(tmp_path / "notes.txt")


# --- The content of the pages ---------------------------------------------------------------------


def test_a_leaderboard_is_that_of_the_fullest_run_and_has_the_answer(
    site: Site, files: dict[str, bytes]
) -> None:
    boards = {one.suite: one for one in site.leaderboards}
    assert boards["thread-metric"].run.id == run().id  # has more compared tests
    assert boards["worst-case"].run.id == older().id
    text = files["index.html"].decode()
    assert "geometric mean over 3 tests" in text
    means = site.claims_of(boards["thread-metric"]).means.values()
    assert all(f'href="{mean.page}"' in text for mean in means)
    assert len(means) == 2


def test_the_history_shows_where_a_figure_changed(files: dict[str, bytes]) -> None:
    page = files["kernels/freertos.html"].decode()
    assert "Figures that changed" in page
    assert "200 instructions in run 20261119-000000-aaaa" in page
    assert "Figures that changed" not in files["kernels/null.html"].decode()
    assert 'class="history"' in files["scenarios/thread-metric_message-processing.html"].decode()


def test_the_curves_of_a_worst_case_are_overlaid_with_their_causes(files: dict[str, bytes]) -> None:
    page = files["scenarios/worst-case_give.html"].decode()
    assert page.count("<polyline") == 2
    assert "<code>give+0x8</code>" in page
    assert (
        'class="latency"' not in files["scenarios/thread-metric_message-processing.html"].decode()
    )


def test_the_index_and_every_claim_fit_their_schemas(files: dict[str, bytes]) -> None:
    index = json.loads(files["index.json"])
    assert mistakes("site", index) == []
    assert {"mean", "figure"} == {entry["kind"] for entry in index["claims"]}
    for entry in index["claims"]:
        claim = json.loads(files[entry["json"]])
        assert mistakes("claim", claim) == []
        assert claim["page"] == entry["page"]
    assert len(index["claims"]) == sum(path.endswith(".svg") for path in files)
    assert mistakes("site", {**index, "unknown": 1})


def test_the_reference_has_every_field() -> None:
    text = documentation.prepared((documentation.DOCS / "reference" / "site.md").read_text())
    for kind in documents.OBJECTS.values():
        for field in msgspec.structs.fields(kind):
            assert re.search(rf"\| `{field.name}` \| \S", text), field.name


def mistakes(name: str, value: Any) -> list[str]:
    return [
        error.message for error in Draft202012Validator(schemas.schema(name)).iter_errors(value)
    ]


def test_a_badge_is_a_picture_with_the_words_of_its_claim(files: dict[str, bytes]) -> None:
    path = next(path for path in files if "message-processing" in path and path.endswith(".svg"))
    found = ElementTree.fromstring(files[path])
    words = [element.text for element in found.iter() if element.text and element.text.strip()]
    assert any("instructions" in str(word) for word in words)
    assert float(found.attrib["width"]) > 100


# --- Measuring a claim again ----------------------------------------------------------------------


def claim_of(files: dict[str, bytes], *words: str) -> str:
    every = (p for p in files if p.startswith("claims/") and p.endswith(".json"))
    return next(path for path in every if all(word in path for word in words))


def test_the_file_of_a_claim_has_what_it_rests_on_and_nothing_else(
    written: Path, files: Any
) -> None:
    figure = claim_file.read(written / claim_of(files, run().id, "message-processing", "_rt_"))
    assert [(e.record.kernel, e.plan) for e in figure.entries] == [("rt", PLAN)]
    assert set(figure.run.provenance["builds"]) == {"rt/default/O2/mps2-an386"}
    mean = claim_file.read(written / claim_of(files, run().id, "mean", "_rt_"))
    assert {entry.record.kernel for entry in mean.entries} == {"rt", "freertos"}
    assert mean.run.lanes == run().lanes


def test_a_changed_claim_is_refused(written: Path, files: Any, tmp_path: Path) -> None:
    text = (written / claim_of(files, "message-processing", "_rt_")).read_text()
    (tmp_path / "claim.json").write_text(text.replace('"optimise": "O2"', '"optimise": "O3"'))
    with pytest.raises(Exception, match=r"claim.json is damaged: its checksum"):
        claim_file.read(tmp_path / "claim.json")
    with pytest.raises(UsageError, match="no file"):
        claim_file.read(tmp_path / "nothing.json")


def test_a_claim_without_sample_plans_says_so() -> None:
    bare = Baseline(run(), tuple(BaselineEntry(record, None, {}) for record in run().records))
    found = dict(pages.files(contents.gather([bare], Wish(), DECLARED)))
    claim = claim_of(found, "message-processing", "_rt_")
    assert json.loads(found[claim])["reproduce"] is None
    assert b"sample plan was not kept" in found[claim.replace(".json", ".html")]
    assert not any(path.endswith(".bundle") for path in found)


def test_the_bundle_of_a_run_is_one_that_verify_reads(written: Path, tmp_path: Path) -> None:
    held = bundle.read(written / "runs" / f"{run().id}.bundle", tmp_path)
    assert held.kept.run == run()
    assert held.images == {}


# --- The command ----------------------------------------------------------------------------------


def call(store: Store, *words: str) -> int:
    import argparse

    parser = argparse.ArgumentParser()
    command.configure(parser)
    return command.run(parser.parse_args([*words, "--store", str(store.root)]))


def test_the_command_takes_runs_and_bundles(
    written: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store = Store(tmp_path / "store")
    store.open_for_writing()
    store.add_run(older())
    bundled = str(written / "runs" / f"{run().id}.bundle")
    assert (
        call(store, str(tmp_path / "public"), "latest", bundled, "--title", "Mine") == ExitStatus.OK
    )
    said = capsys.readouterr()
    assert "2 runs" in said.out
    assert "is not in the store" in said.err  # the measurements of the synthetic run
    index = json.loads((tmp_path / "public" / "index.json").read_text())
    assert [one["bundle"] is None for one in index["runs"]] == [False, True]
    assert index["title"] == "Mine"


# --- In a browser ---------------------------------------------------------------------------------

STYLED = "getComputedStyle(document.querySelector('nav')).position === 'sticky'"
OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


@pytest.mark.skipif(os.environ.get("TICKLAB_NO_BROWSER") == "1", reason="TICKLAB_NO_BROWSER=1")
def test_pages_render_at_every_width_from_files_without_scripts(
    written: Path, files: dict[str, bytes], chromium: browser.Browser
) -> None:
    """Opens one page of each kind, each at another width; the index and the page of a run at all
    widths."""
    claim = claim_of(files, run().id, "mean", "_rt_").replace(".json", ".html")
    kinds = ["kernels/freertos.html", "scenarios/thread-metric_message-processing.html"]
    kinds += ["services/queue.html", "runs/index.html", claim]
    every = [(name, width) for name in ("index.html", f"runs/{run().id}.html") for width in WIDTHS]
    every += [(name, WIDTHS[number % 3]) for number, name in enumerate(kinds)]
    with chromium.page() as page:
        for name, width in every:
            page.open(written / name, width, 900)
            assert page.evaluate(OVERFLOW) == 0, (name, width)
            assert page.evaluate(STYLED), name
        assert page.errors == []
        assert all(url.startswith((written.as_uri(), "data:")) for url in page.requests)


@pytest.mark.parametrize("kernel", ["freertos", "rt", "null"])
def test_a_run_of_one_kernel_has_a_site(kernel: str) -> None:
    """A run of one kernel has no answer, because nothing is compared; kernel `null` has few
    figures."""
    alone = tuple(one for one in run().records if one.kernel == kernel)
    one = replace(run(), records=alone)
    found = dict(pages.files(contents.gather([kept(one)], Wish(), DECLARED)))
    passed = [each for each in alone if each.status is Status.PASS]
    claims = [name for name in found if name.startswith("claims/") and name.endswith(".json")]
    assert len(claims) >= len(passed) > 0


def test_a_claim_says_why() -> None:
    works = {"freertos": {"checks": {"assert": 40}}, "rt": {"checks": {"<f>": 30, "g": 28}}}
    records = (replace(record(kernel), work=work) for kernel, work in works.items())
    one = replace(run(), records=tuple(records))
    found = dict(pages.files(contents.gather([kept(one)], Wish(), DECLARED)))
    page = found[claim_of(found, "message-processing", "_rt_").replace(".json", ".html")].decode()
    assert "Instructions against freertos: +18: 18 in argument checks." in page
    assert '<td class="number">58</td>' in page
    assert "&lt;f&gt; 30, g 28" in page
    mean = found[claim_of(found, "mean", "rt").replace(".json", ".html")].decode()
    assert "+45 % of instructions: 45 % in argument checks" in mean
    own = found[claim_of(found, "message-processing", "_freertos_").replace(".json", ".html")]
    assert b"Instructions: 40: 40 in argument checks." in own
