"""`docsmcp ingest_site`."""

from __future__ import annotations

from typing import Any

import pytest

from collections_app.models import Collection, Document, IngestJob, Source
from tests.collections_app.clients.loopback import LoopbackSite, text
from tests.collections_app.management.conftest import Run
from tests.factories import find_paths, make_tenant


@pytest.fixture
def start(site: LoopbackSite) -> str:
    return site.url("/docs/")


def test_it_makes_the_collection_and_fills_it(run: Run, start: str) -> None:
    code, out, _ = run("ingest_site", start, "--collection", "docs")
    assert code == 0
    assert "3 indexed" in out
    assert len(find_paths(Collection.objects.get(slug="docs"), "alpacas")) == 1
    assert Source.objects.get().refresh_interval_seconds == 86_400


def test_it_says_which_page_failed_and_why(run: Run, start: str) -> None:
    code, out, err = run("ingest_site", start, "--collection", "docs", "--max-file-bytes", 2000)
    assert code == 1
    assert "1 failed, 2 indexed" in out
    assert "two: FILE_TOO_LARGE" in err


def test_a_page_that_its_sitemap_names_and_that_is_gone_is_told_once(run: Run, start: str, site: LoopbackSite) -> None:
    site.routes["/docs/sitemap.xml"] = text(f"<urlset><url><loc>{start}two</loc></url></urlset>", "application/xml")
    run("ingest_site", start, "--collection", "docs")
    del site.routes["/docs/two"]
    code, out, err = run("ingest_site", start, "--collection", "docs")
    assert code == 1
    assert "two: FETCH_ERROR The site has no such page (404), although its sitemap names it." in err
    assert "Not found any more" not in out


def test_it_keeps_what_was_asked_for(run: Run, start: str) -> None:
    run("ingest_site", start, "--collection", "docs", "--max-pages", 2, "--refresh", 3600, "--exclude", "one*")
    source = Source.objects.get()
    assert source.refresh_interval_seconds == 3600
    assert source.options["max_pages"] == 2
    assert source.exclude == ["one*"]
    assert not Document.objects.filter(path__startswith="one").exists()


def test_an_interval_that_is_too_short_is_refused(run: Run, start: str) -> None:
    code, _, err = run("ingest_site", start, "--collection", "docs", "--refresh", 299)
    assert (code, "Give 300 or more, or 0 for never" in err) == (2, True)
    assert not Source.objects.exists()


def test_a_dry_run_lists_pages_and_writes_nothing(run: Run, start: str) -> None:
    code, out, _ = run("ingest_site", start, "--collection", "docs", "--dry-run", "--exclude", "two*")
    assert code == 0
    assert out.splitlines()[0].split() == ["URL", "FOUND", "IN", "PATH,", "OR", "WHY", "IT", "IS", "NOT", "TAKEN"]
    assert any(line.startswith(f"{start}one ") and "link" in line for line in out.splitlines())
    assert any(line.startswith(f"{start}two ") and "not taken: " in line for line in out.splitlines())
    assert not Collection.objects.exists()


def test_a_dry_run_as_json(run_json: Any, start: str) -> None:
    code, report = run_json("ingest_site", start, "--collection", "docs", "--dry-run")
    assert code == 0
    assert report["taken"] == sum(not listed["reason"] for listed in report["pages"])
    assert start in {listed["url"] for listed in report["pages"]}


def test_in_the_background_it_leaves_a_job(run_json: Any, start: str, site: LoopbackSite) -> None:
    code, report = run_json("ingest_site", start, "--collection", "docs", "--background")
    job = IngestJob.objects.get()
    assert (code, report) == (0, {"job": job.pk, "source": job.source_id, "state": "queued"})
    assert site.asked == []


def test_a_site_that_cannot_be_reached_is_told(run: Run, site: LoopbackSite) -> None:
    code, _, err = run("ingest_site", site.url("/nowhere/"), "--collection", "docs")
    assert code == 2
    assert "404" in err
    assert not Source.objects.exists()
    assert not Collection.objects.exists()


def test_a_collection_that_was_there_stays_when_a_site_cannot_be_reached(
    run: Run, site: LoopbackSite, collection: Collection
) -> None:
    assert run("ingest_site", site.url("/nowhere/"), "--collection", collection.slug)[0] == 2
    assert Collection.objects.get() == collection


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--language", "klingon!"], "--language 'klingon!': --help says what it takes."),
        (["--max-pages", "0"], "--max-pages 0: give 1 or more."),
        (["--max-pages", "1000001"], "--max-pages 1000001: give 1000000 or less."),
    ],
    ids=["language", "no pages", "too many pages"],
)
def test_it_refuses_options_that_are_none(run: Run, start: str, arguments: list[str], said: str) -> None:
    code, _, err = run("ingest_site", start, "--collection", "docs", *arguments)
    assert (code, err) == (2, f"{said}\n")
    assert not Source.objects.exists()


def test_what_it_tells_to_type_next_names_the_tenant(run: Run, start: str) -> None:
    make_tenant("acme")
    _, out, _ = run("ingest_site", start, "--collection", "docs", "--tenant", "acme", "--background")
    job = IngestJob.objects.get()
    assert f"`docsmcp jobs show --tenant acme {job.pk} --follow`" in out
