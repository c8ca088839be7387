"""Real sources through jobs: what is remembered of one reading, and given to the next."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

from collections_app.documents import get_document, open_document
from collections_app.exceptions import DocumentNotFound, InvalidParameter
from collections_app.ingest import remove_documents
from collections_app.jobs import (
    NewUpload,
    accept_uploads,
    ensure_directory_source,
    ensure_git_source,
    ensure_site_source,
    ensure_upload_source,
    get_max_file_bytes,
    restore_removed,
    retry_job,
    run_job,
    start_job,
)
from collections_app.jobs.heartbeat import Heartbeat
from collections_app.jobs.run import Run
from collections_app.models import Collection, Document, FileOutcome, IngestJob, MovedPage, Source, Tenant
from collections_app.reports.mends import mend_file
from collections_app.sources.git import GitOptions
from collections_app.sources.parts import PART
from collections_app.sources.selection import FileChoice
from collections_app.sources.site import SiteOptions
from collections_app.sources.site_settings import UNBUILT
from tests.collections_app.clients.loopback import HOST, Answer, Asked, LoopbackSite, links, page, serve_site, text
from tests.collections_app.sources.archives import make_zip
from tests.collections_app.sources.git_server import Served, make_commit, serve
from tests.factories import find_paths, make_collection
from tests.index_check import check_index, check_job

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _loopback_is_allowed(settings: Any) -> None:
    settings.DOCSMCP = settings.DOCSMCP.model_copy(update={"fetch_allowed_hosts": (HOST, "127.0.0.1")})


@pytest.fixture
def collection() -> Collection:
    return make_collection()


@pytest.fixture
def site() -> Iterator[LoopbackSite]:
    with serve_site() as site:
        site.routes |= {
            "/docs/": page(links("a.html", "b.html", "c.html")),
            "/docs/a.html": answer_conditionally,
            "/docs/b.html": page("<h1>B</h1><p>alpacas</p>"),
            "/docs/c.html": page("<h1>C</h1><p>vicugnas</p>"),
        }
        yield site


def remove(collection: Collection, path: str) -> None:
    remove_documents(collection, [collection.documents.get(path=path).pk])


def answer_conditionally(asked: Asked) -> Answer:
    if asked.headers.get("if-none-match") == '"1"':
        return Answer(status=304, content_type=None)
    return Answer(page("<h1>A</h1><p>llamas</p>").body, headers={"ETag": '"1"'})


def run(source: Source) -> IngestJob:
    job = start_job(Source.objects.get(pk=source.pk))
    run_job(job.pk)
    job.refresh_from_db()
    return job


def make_site_source(collection: Collection, site: LoopbackSite) -> Source:
    return ensure_site_source(collection, SiteOptions(url=site.url("/docs/"), include=("**.html",)))


def test_a_site_becomes_documents_and_is_asked_only_what_changed(collection: Collection, site: LoopbackSite) -> None:
    source = make_site_source(collection, site)
    job = run(source)
    assert (job.state, check_job(job)) == ("succeeded", {"indexed": 4})
    assert find_paths(collection, "llamas") == ["a.html"]
    assert Document.objects.get(path="a.html").source_url == site.url("/docs/a.html")
    site.routes["/docs/b.html"] = page("<h1>B</h1><p>guanacos</p>")
    job = run(source)
    assert check_job(job) == {"unchanged": 3, "indexed": 1}
    assert site.get_headers("/docs/a.html")["if-none-match"] == '"1"'
    check_index(collection)


def test_another_policy_reads_a_site_whole_again(collection: Collection, site: LoopbackSite) -> None:
    source = make_site_source(collection, site)
    run(source)
    Collection.objects.update(content_policy="flag")
    assert check_job(run(source)) == {"indexed": 4}


def test_a_page_that_scripts_write_has_failed_and_keeps_the_text_it_had(
    collection: Collection, site: LoopbackSite
) -> None:
    source = make_site_source(collection, site)
    run(source)
    site.routes["/docs/b.html"] = page('<div id="root"></div><script src="app.js"></script>')
    job = run(source)
    assert (job.state, check_job(job)) == ("partial", {"unchanged": 3, "failed": 1})
    assert "llms.txt or sitemap" in job.outcomes.get(path="b.html").reason
    assert find_paths(collection, "alpacas") == ["b.html"]


def test_what_a_server_says_reaches_no_terminal_as_an_escape_sequence(
    collection: Collection, site: LoopbackSite
) -> None:
    source = make_site_source(collection, site)
    site.routes["/docs/b.html"] = Answer(b"x", headers={"Content-Encoding": "\x1b]0;mine\x07\x1b[2J"})
    reason = run(source).outcomes.get(path="b.html").reason
    assert "packed as" in reason
    assert reason.isprintable()


def test_a_document_with_warnings_says_so_in_its_jobs_outcome(collection: Collection, tmp_path: Path) -> None:
    (tmp_path / "a.html").write_bytes(b"<meta charset=utf-8><p>caf\xe9</p>")
    (tmp_path / "b.md").write_text("# B")
    job = run(ensure_directory_source(collection, tmp_path))
    reasons = dict(job.outcomes.values_list("path", "reason"))
    assert (job.state, check_job(job)) == ("succeeded", {"indexed": 2})
    assert reasons == {"a.html": "the page is not valid utf-8; it was read as Windows-1252", "b.md": ""}


@pytest.mark.parametrize(
    ("language", "paths"),
    [("german", ["de/a.html", "index.html"]), ("english", ["de/a.html", "fr/b.html", "index.html"])],
)
def test_a_site_that_names_no_language_has_the_one_chosen_for_its_collection(
    site: LoopbackSite, language: str, paths: list[str]
) -> None:
    collection = make_collection(language=language)
    site.routes |= {"/docs/": page(links("de/a.html", "fr/b.html"))}
    site.routes |= {"/docs/de/a.html": page("<p>Lamas</p>"), "/docs/fr/b.html": page("<p>lamas</p>")}
    run(ensure_site_source(collection, SiteOptions(url=site.url("/docs/"))))
    assert sorted(collection.documents.values_list("path", flat=True)) == paths


def test_a_page_that_is_gone_leaves_and_comes_back_by_command(collection: Collection, site: LoopbackSite) -> None:
    source = make_site_source(collection, site)
    run(source)
    del site.routes["/docs/b.html"]
    assert check_job(run(source)) == {"unchanged": 3, "removed": 1}
    assert find_paths(collection, "alpacas") == []
    assert restore_removed(collection) == 1
    assert find_paths(collection, "alpacas") == ["b.html"]


@pytest.mark.parametrize("policy", ["strip", "flag"])
def test_what_only_a_failed_page_leads_to_stays_whatever_was_kept_of_it(
    collection: Collection, site: LoopbackSite, policy: str
) -> None:
    site.routes["/docs/"] = page(links("hub.html"))
    site.routes["/docs/hub.html"] = page("<p>hub</p>" + links("a.html", "b.html", "c.html"))
    site.routes["/docs/c.html"] = page(links(*(f"c.html?{n}" for n in range(301))))
    source = ensure_site_source(collection, SiteOptions(url=site.url("/docs/"), include=("*.html",)))
    run(source)
    Collection.objects.update(content_policy=policy)
    site.routes["/docs/hub.html"] = page(status=403)
    job = run(source)
    assert (check_job(job)["failed"], job.outcomes.filter(outcome="removed").count()) == (1, 0)
    assert find_paths(collection, "alpacas") == ["b.html"]
    assert Document.objects.filter(path="c.html", fetch_state={}).exists()


def test_a_page_that_failed_is_tried_again_by_itself(collection: Collection, site: LoopbackSite) -> None:
    source = make_site_source(collection, site)
    site.routes["/docs/b.html"] = page(status=403)
    job = run(source)
    assert (job.state, check_job(job)) == ("partial", {"indexed": 3, "failed": 1})
    site.routes["/docs/b.html"] = page("<h1>B</h1><p>alpacas</p>")
    asked = site.count("/docs/c.html")
    retry = retry_job(job)
    run_job(retry.pk)
    assert check_job(retry) == {"indexed": 1}
    assert find_paths(collection, "alpacas") == ["b.html"]
    assert site.count("/docs/c.html") == asked


@pytest.mark.parametrize("place", ["/docs/sitemap.xml", "/sitemap.xml", "/maps/pages.xml"])
def test_where_a_sitemap_failed_a_retry_reads_the_site(collection: Collection, site: LoopbackSite, place: str) -> None:
    source = make_site_source(collection, site)
    site.routes |= {"/robots.txt": text(f"Sitemap: {place}"), "/docs/d.html": page("<h1>D</h1><p>camels</p>")}
    site.routes[place] = page(status=403)
    job = run(source)
    assert (job.state, check_job(job)) == ("partial", {"indexed": 4, "failed": 1})
    site.routes[place] = text(site.url("/docs/d.html"))
    run_job(retry_job(job).pk)
    assert find_paths(collection, "camels") == ["d.html"]
    assert not collection.documents.filter(status="failed").exists()


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    with serve(tmp_path) as served:
        yield served


def test_a_repository_is_fetched_again_only_when_it_has_a_new_commit(collection: Collection, served: Served) -> None:
    source = ensure_git_source(collection, served.url, GitOptions(folder="docs"), token="secret")
    make_commit(served.repo, {"docs/a.md": b"# A\n\nllamas\n", "docs/b.md": b"# B\n\nalpacas\n", "README.md": b"# R\n"})
    assert check_job(run(source)) == {"indexed": 2}
    assert "secret" not in Source.objects.get().encrypted_token
    assert check_job(run(source)) == {"unchanged": 2}
    make_commit(served.repo, {"docs/a.md": b"# A\n\nguanacos\n"})
    assert check_job(run(source)) == {"indexed": 1, "removed": 1}
    assert find_paths(collection, "guanacos") == ["a.md"]
    check_index(collection)


def test_an_emptied_repository_says_so_until_somebody_confirms_it(collection: Collection, served: Served) -> None:
    source = ensure_git_source(collection, served.url, GitOptions())
    make_commit(served.repo, {f"{n}.md": f"# Page {n}\n".encode() for n in range(12)})
    run(source)
    make_commit(served.repo, {"0.md": b"# Page 0\n"})
    for _ in range(2):
        assert run(source).error_code == "REMOVALS_HELD"
    assert collection.documents.count() == 12


def test_a_renamed_folder_is_no_removal_of_its_files(collection: Collection, served: Served) -> None:
    source = ensure_git_source(collection, served.url, GitOptions())
    make_commit(served.repo, {f"old/{n}.md": f"# Page {n}\n" for n in range(13)})
    run(source)
    make_commit(served.repo, {f"new/{n}.md": f"# Page {n}\n" for n in range(12)})
    assert check_job(run(source)) == {"indexed": 12, "removed": 13}


def test_what_failed_is_read_again_though_the_commit_is_the_same(collection: Collection, served: Served) -> None:
    source = ensure_git_source(collection, served.url, GitOptions())
    make_commit(served.repo, {"a.md": b"# A\n", "b.md": b"---\ntitle: [\n---\n"})
    for _ in range(2):
        job = run(source)
        assert job.outcomes.get(path="b.md").outcome == "failed"


def test_a_site_without_room_keeps_some_pages_still_removes_others_and_goes_on_where_there_is_room(
    collection: Collection, site: LoopbackSite
) -> None:
    source = make_site_source(collection, site)
    Tenant.objects.update(max_documents=1)
    job = run(source)
    assert (job.state, check_job(job)) == ("partial", {"indexed": 1, "failed": 3})
    assert set(job.outcomes.filter(outcome="failed").values_list("code", flat=True)) == {"QUOTA_EXCEEDED"}
    assert collection.documents.count() == 1
    Tenant.objects.update(max_documents=0)
    assert check_job(run(source)) == {"unchanged": 1, "indexed": 3}
    Tenant.objects.update(max_documents=1)
    site.routes["/docs/"] = page(links("a.html", "b.html"))
    del site.routes["/docs/c.html"]
    assert check_job(run(source))["removed"] == 1


def test_a_repository_without_room_is_read_again_though_the_commit_is_the_same(
    collection: Collection, served: Served
) -> None:
    source = ensure_git_source(collection, served.url, GitOptions())
    make_commit(served.repo, {"a.md": b"# A\n\nllamas\n", "b.md": b"# B\n\nalpacas\n"})
    Tenant.objects.update(max_bytes=15)
    assert check_job(run(source)) == {"indexed": 1, "failed": 1}
    Tenant.objects.update(max_bytes=None)
    assert check_job(run(source)) == {"unchanged": 1, "indexed": 1}


def test_a_renamed_file_has_moved_and_its_old_path_leads_to_it(collection: Collection, tmp_path: Path) -> None:
    lines = "".join(f"Step {number} of the whole.\n\n" for number in range(9))
    with serve(tmp_path) as served:
        old = {"guide/start.md": "# Start\n\nllamas\n", "faq.md": f"# Questions\n\n{lines}", "gone.md": "# Gone\n"}
        make_commit(served.repo, {**old, "v1/guide/start.md": "# Start of 1\n\nother llamas\n"})
        source = ensure_git_source(collection, served.url, GitOptions())
        run(source)
        new = {"intro/begin.md": "# Start\n\nllamas\n", "help/faq.md": f"# Questions and answers\n\n{lines}See more.\n"}
        make_commit(served.repo, {**new, "v1/guide/start.md": "# Start of 1\n\nother llamas\n"})
        job = run(source)
        assert check_job(job) == {"indexed": 2, "unchanged": 1, "removed": 3}
        told = dict(job.outcomes.filter(code=FileOutcome.MOVED).values_list("path", "reason"))
        assert told["guide/start.md"] == "It is intro/begin.md now, where its old path leads."
        assert told.keys() == {"guide/start.md", "faq.md"}, "gone.md is nowhere"
        for path in ("guide/start.md", "guide/start", f"{collection.slug}/guide/start.md#llamas"):
            assert get_document([collection], path).path == "intro/begin.md"
        assert open_document([collection], "https://example.org/en/guide/start/").document.path == "intro/begin.md"
        make_commit(served.repo, {"begin.md": "# Start\n\nllamas\n", "help/faq.md": new["help/faq.md"]})
        run(source)
        assert get_document([collection], "guide/start.md").path == "begin.md", "It was moved twice"


def test_what_a_site_is_told_of_its_pages_counts(collection: Collection, tmp_path: Path) -> None:
    """Where they have moved, and of which files it makes none."""
    files = {
        "docs/new/page.md": "# Page\n",
        "docs/drafts/a.md": "# Draft\n",
        "docs/b.md": "# B\n",
        "other/a/b.md": "# B\n",
    }
    moved = {"old/page.md": "new/page.md", "a/b.md": "b.md", "gone.md": "https://example.org/other/b/"}
    told = {"exclude_docs": "drafts/", "plugins": [{"redirects": {"redirect_maps": moved}}]}
    for path, content in {**files, "mkdocs.yml": json.dumps(told)}.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(content)
    source = ensure_directory_source(collection, tmp_path)
    job = run(source)
    assert sorted(collection.documents.values_list("path", flat=True)) == [
        "docs/b.md",
        "docs/new/page.md",
        "other/a/b.md",
    ]
    assert job.left_out == {UNBUILT: 1}

    def find(path: str) -> str:
        return open_document([collection], path).document.path

    assert (
        find("old/page.md") == find("docs/old/page") == find("https://example.org/en/old/page/") == "docs/new/page.md"
    )
    assert find("a/b.md") == "docs/b.md", "rather than the page with the same end"
    with pytest.raises(DocumentNotFound):
        find("gone.md")  # at another site's page, which only has the name of one here
    (tmp_path / "mkdocs.yml").write_text("site_name: X\n")
    run(source)
    assert not MovedPage.objects.exists()


def test_former_addresses_are_followed_as_often_as_pages_move(collection: Collection, tmp_path: Path) -> None:
    (tmp_path / "C#").mkdir()
    (tmp_path / "C#" / "a.md").write_text("# A\n\nllamas\n")
    (tmp_path / "b.md").write_text("# B\n\nalpacas\n")
    (tmp_path / "_redirects").write_text("/caf%C3%A9 /b\n/x /y\n/y /x\n")
    source = ensure_directory_source(collection, tmp_path)
    run(source)
    (tmp_path / "C#" / "a.md").rename(tmp_path / "C#" / "first.md")
    run(source)
    (tmp_path / "C#" / "first.md").rename(tmp_path / "first.md")
    (tmp_path / "b.md").rename(tmp_path / "second.md")
    run(source)
    for asked, path in {
        "C#/a.md": "first.md",
        "C#/first": "first.md",
        "café": "second.md",  # told to be at b.md, which has moved since
        "/caf%C3%A9/": "second.md",
    }.items():
        assert get_document([collection], asked).path == path
    for asked in ("C", "x", "y"):
        with pytest.raises(DocumentNotFound):
            get_document([collection], asked)
    with mock.patch("collections_app.jobs.moves.MOST_FOUND", 1):
        (tmp_path / "second.md").rename(tmp_path / "third.md")
        run(source)
    assert MovedPage.objects.get(is_told=False).target == "third.md", "the others are older"


def test_a_document_that_somebody_removed_comes_back_though_the_commit_is_the_same(
    collection: Collection, served: Served
) -> None:
    source = ensure_git_source(collection, served.url, GitOptions())
    make_commit(served.repo, {"a.md": b"# A\n\nllamas\n", "b.md": b"# B\n\nalpacas\n", "c.bin": b"\0"})
    run(source)
    remove(collection, "b.md")
    assert check_job(run(source)) == {"indexed": 1, "unchanged": 1}
    assert find_paths(collection, "alpacas") == ["b.md"]
    check_index(collection)


def test_a_document_that_is_removed_while_its_source_is_read_comes_back_the_next_time(
    collection: Collection, served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = ensure_git_source(collection, served.url, GitOptions())
    make_commit(served.repo, {"a.md": b"# A\n", "b.md": b"# B\n"})
    keep = Run.keep_fetch_state

    def remove_and_keep(self: Run, reading: Any) -> None:
        remove(collection, "b.md")
        keep(self, reading)

    with monkeypatch.context() as patch:
        patch.setattr(Run, "keep_fetch_state", remove_and_keep)
        run(source)
    assert set(collection.documents.values_list("path", flat=True)) == {"a.md"}
    assert check_job(run(source)) == {"indexed": 1, "unchanged": 1}


def test_a_document_that_another_source_took_over_is_looked_at_again(
    collection: Collection, served: Served, tmp_path: Path
) -> None:
    git = ensure_git_source(collection, served.url, GitOptions(), refresh_interval_seconds=0)
    make_commit(served.repo, {"a.md": b"# A\n\nllamas\n", "b.md": b"# B\n"})
    run(git)
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "a.md").write_text("# A\n\nguanacos\n")
    run(ensure_directory_source(collection, folder))
    assert check_job(run(git)) == {"indexed": 1, "unchanged": 1}
    assert find_paths(collection, "llamas") == ["a.md"]


def test_a_page_that_somebody_removed_comes_back(collection: Collection, site: LoopbackSite) -> None:
    source = ensure_site_source(collection, SiteOptions(url=site.url("/docs/")))
    run(source)
    remove(collection, "a.html")
    assert check_job(run(source))["indexed"] >= 1
    assert "a.html" in set(collection.documents.values_list("path", flat=True))


def test_two_folders_of_a_repository_are_two_sources(collection: Collection) -> None:
    for folder in ("docs", "manual", "docs"):
        ensure_git_source(collection, "https://example.org/r.git", GitOptions(branch="main", folder=folder))
    locations = [source.location for source in Source.objects.order_by("pk")]
    assert locations == ["https://example.org/r.git#main:docs", "https://example.org/r.git#main:manual"]


def test_settings_of_a_source_are_those_that_were_given_last(collection: Collection) -> None:
    url = "https://example.org/docs/"
    ensure_site_source(collection, SiteOptions(url=url, max_pages=5), refresh_interval_seconds=600)
    source = ensure_site_source(collection, SiteOptions(url=url, max_pages=7))
    assert (source.options["max_pages"], source.refresh_interval_seconds) == (7, 600)
    assert ensure_site_source(collection, SiteOptions(url="https://example.org/x/")).refresh_interval_seconds == 86_400


def test_a_source_takes_no_larger_files_than_the_setting_allows(
    collection: Collection, tmp_path: Path, settings: Any
) -> None:
    (tmp_path / "a.md").write_text("# A\n\n" + "alpaca " * 10)
    source = ensure_directory_source(collection, tmp_path, FileChoice(max_file_bytes=1000))
    settings.DOCSMCP = settings.DOCSMCP.model_copy(update={"max_file_bytes": 50})
    outcome = run(source).outcomes.get()
    assert outcome.code == "FILE_TOO_LARGE"
    assert "Raise the setting MAX_FILE_BYTES, or the source's own max_file_bytes where that is lower;" in outcome.reason
    with pytest.raises(InvalidParameter, match=r"at most 50 here.*MAX_FILE_BYTES"):
        ensure_directory_source(collection, tmp_path, FileChoice(max_file_bytes=51))
    assert ensure_directory_source(collection, tmp_path, FileChoice(max_file_bytes=49)).max_file_bytes == 49


def test_a_source_without_a_number_of_its_own_follows_the_setting(
    collection: Collection, tmp_path: Path, settings: Any
) -> None:
    sources = [
        ensure_directory_source(collection, tmp_path),
        ensure_upload_source(collection),
        ensure_site_source(collection, SiteOptions(url="https://example.org/", max_file_bytes=2**20 * 10)),
    ]
    for most in (2**20 * 20, 2**20 * 5):
        settings.DOCSMCP = settings.DOCSMCP.model_copy(update={"max_file_bytes": most})
        assert [get_max_file_bytes(source) for source in sources] == [most] * 3


def put_archive(collection: Collection, path: str, files: Mapping[str, str], **options: Any) -> dict[str, int]:
    job = accept_uploads(collection, [NewUpload(path, make_zip(files).getvalue(), **options)])
    run_job(job.pk)
    return check_job(job)


def test_a_newer_archive_takes_the_place_of_the_older_with_all_that_it_held(collection: Collection) -> None:
    alone = accept_uploads(collection, [NewUpload("alone.md", b"# Alone\n\nwords\n")])
    run_job(alone.pk)
    put_archive(collection, "all.zip", {"a.md": "# A\n\nllamas", "b.md": "# B\n\nalpacas"})
    put_archive(collection, "other.zip", {"c.md": "# C\n\nvicugnas"})
    assert put_archive(collection, "all.zip", {"a.md": "# A\n\nllamas"}) == {"unchanged": 1, "removed": 1}
    assert list(collection.documents.values_list("path", flat=True)) == ["a.md", "alone.md", "c.md"]
    check_index(collection)
    assert restore_removed(collection, ["b.md"])


def test_pages_of_an_archive_have_moved_as_its_site_tells_and_as_a_newer_one_has_them(collection: Collection) -> None:
    mkdocs = json.dumps({"plugins": [{"redirects": {"redirect_maps": {"old.md": "a.md"}}}]})
    put_archive(
        collection, "x/all.zip", {"docs/a.md": "# A\n\nllamas", "mkdocs.yml": mkdocs, "_redirects": "/was /a\n"}
    )
    put_archive(collection, "other.zip", {"c.md": "# C\n\nvicugnas", "_redirects": "/former /c\n"})
    assert get_document([collection], "old").path == get_document([collection], "was").path == "x/docs/a.md"
    newer = {"docs/b.md": "# A\n\nllamas", "_redirects": "/once /b\n"}
    assert put_archive(collection, "x/all.zip", newer) == {"indexed": 1, "removed": 1}
    for asked, path in {"once": "x/docs/b.md", "x/docs/a.md": "x/docs/b.md", "former": "c.md"}.items():
        assert get_document([collection], asked).path == path
    with pytest.raises(DocumentNotFound):
        get_document([collection], "was")


def test_a_file_of_an_archive_whose_path_leads_out_has_failed_and_is_no_document(collection: Collection) -> None:
    assert put_archive(collection, "all.zip", {"../a.md": "# A", "b.md": "# B"}) == {"failed": 1, "indexed": 1}
    assert list(collection.documents.values_list("path", flat=True)) == ["b.md"]
    (refused,) = FileOutcome.objects.filter(outcome="failed")
    assert (refused.path, refused.code) == ("../a.md", "INVALID_PARAMETER")
    assert mend_file(refused) == "Do what the reason says, then send the file again."


def test_what_an_archive_holds_and_is_not_taken_is_counted(collection: Collection) -> None:
    put_archive(collection, "all.zip", {"a.md": "# A", "b.org": "* B", "c.png": "x", "d/e.org": "* E"})
    job = IngestJob.objects.get()
    ((reason, count),) = job.left_out.items()
    assert (reason.partition(":")[0], count) == ("`.org`", 2)
    assert job.left_out_paths == {reason: ["b.org", "d/e.org"]}


def test_what_came_by_itself_since_is_no_archives_any_more(collection: Collection) -> None:
    put_archive(collection, "all.zip", {"a.md": "# A\n\nllamas", "b.md": "# B\n\nalpacas"})
    run_job(accept_uploads(collection, [NewUpload("b.md", b"# B\n\nalpacas")]).pk)
    put_archive(collection, "all.zip", {"a.md": "# A\n\nllamas"})
    assert collection.documents.count() == 2


def test_a_page_that_was_mended_by_itself_stays_so_when_all_uploads_are_read_again(
    collection: Collection, monkeypatch: pytest.MonkeyPatch
) -> None:
    put_archive(collection, "all.zip", {"a.md": "# A\n\nllamas", "b.md": "# B\n\nvicugnas"})
    run_job(accept_uploads(collection, [NewUpload("a.md", b"# A\n\nalpacas")]).pk)
    mended = collection.documents.get(path="a.md").indexed
    monkeypatch.setattr("collections_app.ingest.batches.BATCH_DOCUMENTS", 1)
    job = start_job(ensure_upload_source(collection))
    run_job(job.pk)
    assert check_job(job) == {"unchanged": 2}
    assert collection.documents.get(path="a.md").indexed == mended
    assert find_paths(collection, "alpacas") == ["a.md"]


def test_an_archive_that_cannot_be_read_removes_nothing(collection: Collection) -> None:
    put_archive(collection, "all.zip", {"a.md": "# A\n\nllamas", "b.md": "# B\n\nalpacas"})
    run_job(accept_uploads(collection, [NewUpload("all.zip", b"PK\x03\x04 broken")]).pk)
    assert collection.documents.filter(status="success").count() == 2


def test_a_job_over_a_directory_is_cancelled_while_it_is_listed(collection: Collection, tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# A\n")
    job = start_job(ensure_directory_source(collection, tmp_path))
    with mock.patch.object(Heartbeat, "is_cancelled", new_callable=mock.PropertyMock, create=True) as is_cancelled:
        is_cancelled.return_value = True
        run_job(job.pk)
    job.refresh_from_db()
    assert (job.state, job.total) == ("cancelled", 0)


def test_a_document_leaves_that_is_only_a_part_of_a_page_by_now(collection: Collection, tmp_path: Path) -> None:
    (tmp_path / "a.rst").write_text("Llamas\n======\n")
    (tmp_path / "b.txt").write_text("Alpacas")
    source = ensure_directory_source(collection, tmp_path)
    assert run(source).state == IngestJob.State.SUCCEEDED
    assert collection.documents.count() == 2
    (tmp_path / "a.rst").write_text("Llamas\n======\n\n.. include:: b.txt\n")
    job = run(source)
    assert job.state == IngestJob.State.SUCCEEDED
    assert collection.documents.get().path == "a.rst"
    assert dict(job.outcomes.values_list("path", "outcome")) == {"a.rst": "indexed", "b.txt": "removed"}
    assert (job.done, job.total, job.left_out) == (1, 1, {PART: 1})
    check_job(job)
    check_index(collection)
