"""Uploads: files as they are, archives opened where they are, URLs fetched; each with its reason when it cannot be taken."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, BinaryIO

import pytest

from collections_app.clients.http import FetchedPage, HttpClient
from collections_app.exceptions import FetchError
from collections_app.parsing import parse
from collections_app.parsing.documents import RawDocument
from collections_app.sources import Pause, RefusedFile, SourceFile
from collections_app.sources.selection import FileChoice
from collections_app.sources.uploads import UploadedFile, UploadReading
from tests.collections_app.sources.archives import make_tar, make_zip
from tests.collections_app.sources.long_lists import LongList


class FakeClient(HttpClient):
    """Fetches from a dict; what is not in it cannot be fetched."""

    def __init__(self, pages: Mapping[str, bytes] | None = None) -> None:
        self.pages = pages or {}
        self.limits: list[int] = []

    def fetch(self, url: str, *, headers: Mapping[str, str] | None = None, max_bytes: int = 0) -> FetchedPage:
        self.limits.append(max_bytes)
        if url not in self.pages:
            raise FetchError("The site has no such page (404).")
        return FetchedPage(f"{url}?final", 200, "text/markdown; charset=utf-8", self.pages[url], {})


def upload(path: str, content: str | bytes | BinaryIO = "", **fields: Any) -> UploadedFile:
    data = content.encode() if isinstance(content, str) else content
    if not isinstance(data, bytes):
        data.seek(0)
        data = data.read()
    return UploadedFile(path, lambda: data, **fields)


def from_url(path: str, url: str) -> UploadedFile:
    return UploadedFile(path, lambda: None, url)


def read(files: Sequence[UploadedFile], client: HttpClient | None = None, **options: Any) -> list[SourceFile]:
    with UploadReading(files, client or FakeClient(), **options) as reading:
        found = list_files(reading)
        assert {file.path for file in found} == set(reading.listed)
    return found


def list_files(files: Iterable[SourceFile | Pause]) -> list[SourceFile]:
    return [file for file in files if not isinstance(file, Pause)]


def get_paths(files: Iterable[SourceFile | Pause]) -> list[str]:
    """A refusal fails the test."""
    found = list_files(files)
    assert not [file for file in found if isinstance(file, RefusedFile)]
    return [file.path for file in found]


def test_it_gives_what_was_uploaded_with_what_was_said_of_it() -> None:
    file = upload("a.html", "<p>", media_type="text/html", url="https://x.org/a", metadata={"title": "A"})
    assert read([file]) == [RawDocument("a.html", b"<p>", "text/html", "https://x.org/a", {"title": "A"})]


def test_wikilinks_lead_to_other_uploads() -> None:
    files = [upload("logs/Day.md", "[[rope|The rope]], [[Lost]]\n\n![[Rope]]\n"), upload("gear/Rope.md", "Of hemp.\n")]
    for only in (None, ["logs/Day.md"]):
        day = next(file for file in read(files, only=only) if file.path == "logs/Day.md")
        assert isinstance(day, RawDocument)
        assert day.content == b"[The rope](../gear/Rope.md), Lost\n\n![[Rope]]\n"
        assert "![[Rope]]" in parse(day).warnings[0]


def test_patterns_do_not_hide_what_was_uploaded_by_itself() -> None:
    assert get_paths(read([upload("a.md"), upload(".b.md")], choice=FileChoice(["docs/**"]))) == ["a.md", ".b.md"]


def test_the_last_of_the_same_path_counts() -> None:
    assert read([upload("a.md", "old"), upload("a.md", "new")]) == [RawDocument("a.md", b"new")]


def test_an_archive_is_opened_where_it_is_and_gives_its_metadata_but_no_title() -> None:
    archive = make_zip({"docs/a.md": "# A", "docs/b/c.md": "# C"})
    metadata = {"Title": "All", "description": "Everything", "category": "Manual"}
    state = {"archive": "manuals/all.ZIP"}
    found = read([upload("manuals/all.ZIP", archive, url="https://x.org/all.zip", metadata=metadata)])
    assert found == [
        RawDocument("manuals/a.md", b"# A", "", "https://x.org/all.zip", {"category": "Manual"}, state),
        RawDocument("manuals/b/c.md", b"# C", "", "https://x.org/all.zip", {"category": "Manual"}, state),
    ]


def test_an_archive_is_listed_itself_until_its_files_are_known() -> None:
    files = [upload("a.md"), upload("all.zip", make_zip({"b.md": ""}))]
    with UploadReading(files, FakeClient()) as reading:
        assert set(reading.listed) == {"a.md", "all.zip"}
        list(reading)
        assert set(reading.listed) == {"a.md", "b.md"}


def test_what_an_archive_holds_stays_listed_when_an_upload_of_that_path_is_opened() -> None:
    outer, inner = make_zip({"odd.zip": "PK", "a.md": "# A"}), make_zip({"b.md": "# B"})
    found = read([upload("nested.zip", outer), upload("odd.zip", inner)])
    assert sorted(file.path for file in found) == ["a.md", "b.md", "odd.zip"]


def test_patterns_choose_in_an_archive() -> None:
    archive = make_tar({"a.md": "", "b.md": "", "c.txt": ""}, "w:gz")
    assert get_paths(read([upload("all.tgz", archive)], choice=FileChoice(["*.md"], ["b.md"]))) == ["a.md"]


def test_a_document_that_is_a_zip_file_inside_is_no_archive() -> None:
    assert get_paths(read([upload("a.docx", make_zip({"word/document.xml": ""}))])) == ["a.docx"]


@pytest.mark.parametrize(
    ("only", "told"),
    [(None, {"all.zip": ["a.md", "b.md"]}), (["all.zip"], {"all.zip": ["a.md", "b.md"]}), (["a.md"], {})],
)
def test_it_tells_what_an_archive_that_was_read_to_its_end_holds(
    only: list[str] | None, told: dict[str, list[str]]
) -> None:
    uploads = [upload("all.zip", make_zip({"a.md": "", "b.md": ""})), upload("bad.zip", b"PK\x03\x04")]
    with UploadReading(uploads, FakeClient(), only=only) as reading:
        list(reading)
        assert {path: sorted(held.listed) for path, held in reading.read_archives.items()} == told


def test_a_bad_archive_is_refused_under_its_own_path_and_makes_it_incomplete() -> None:
    with UploadReading([upload("all.zip", b"PK\x03\x04"), upload("b.md", "b")], FakeClient()) as reading:
        refused, good = reading
        assert not reading.is_complete
    assert isinstance(refused, RefusedFile)
    assert (refused.path, refused.error.code) == ("all.zip", "PARSE_ERROR")
    assert good == RawDocument("b.md", b"b")


def test_an_archive_without_a_file_is_refused_in_words() -> None:
    """Also one that has only what a system puts beside files."""
    for name, files in {"empty.zip": {}, "junk.zip": {"__MACOSX/._a.md": b"\0", ".DS_Store": b"\0"}}.items():
        (refused,) = read([upload(name, make_zip(files))])
        assert isinstance(refused, RefusedFile)
        assert (refused.path, refused.error.code) == (name, "UNSUPPORTED_FORMAT")
        assert refused.error.message == "There is no file in the archive. Pack the files into it anew."


def test_a_file_over_the_limit_is_refused_and_an_archive_has_its_own_limit() -> None:
    over, at = read([upload("a.md", "x" * 11), upload("b.md", "x" * 10)], choice=FileChoice(max_file_bytes=10))
    assert isinstance(over, RefusedFile)
    assert over.error.code == "FILE_TOO_LARGE"
    assert isinstance(at, RawDocument)
    (refused,) = read([upload("all.zip", make_zip({"a.md": ""}))], max_archive_bytes=10)
    assert isinstance(refused, RefusedFile)


def test_what_was_given_as_a_url_is_fetched_within_its_limit() -> None:
    archive = make_zip({"b.md": "b"})
    archive.seek(0)
    client = FakeClient({"https://x.org/a": b"# A", "https://x.org/all.zip": archive.read()})
    files = [from_url("a.md", "https://x.org/a"), from_url("all.zip", "https://x.org/all.zip")]
    assert read(files, client, choice=FileChoice(max_file_bytes=10), max_archive_bytes=1000) == [
        RawDocument("a.md", b"# A", "text/markdown; charset=utf-8", "https://x.org/a?final"),
        RawDocument("b.md", b"b", "", "https://x.org/all.zip?final", {}, {"archive": "all.zip"}),
    ]
    assert client.limits == [10, 1000]


def test_what_cannot_be_fetched_is_refused_with_its_url() -> None:
    with UploadReading([from_url("a.md", "https://x.org/a")], FakeClient()) as reading:
        (refused,) = list_files(reading)
        assert reading.is_complete  # the document is still the source's
    assert isinstance(refused, RefusedFile)
    assert (refused.path, refused.source_url) == ("a.md", "https://x.org/a")


def test_it_is_complete_once_all_was_read_also_when_nothing_is_left() -> None:
    with UploadReading([], FakeClient()) as reading:
        assert list(reading) == []
        assert reading.is_complete


def test_categories_come_from_navigation_files_uploaded_or_in_archives() -> None:
    summary = "# Summary\n\n## Basics\n\n- [A](a.md)\n"
    files = [upload("SUMMARY.md", summary), upload("x/all.zip", make_zip({"SUMMARY.md": summary, "a.md": ""}))]
    with UploadReading(files, FakeClient()) as reading:
        assert reading.categories == {"a.md": "Basics"}
        list(reading)
        assert reading.categories == {"a.md": "Basics", "x/a.md": "Basics"}


def test_navigation_may_be_spread_over_uploaded_files() -> None:
    files = [
        upload("docs.json", '{"navigation": [{"$ref": "nav.json"}, {"$ref": "none.json"}]}'),
        upload("nav.json", '{"group": "Basics", "pages": ["a"]}'),
        upload("a.md"),
    ]
    with UploadReading(files, FakeClient()) as reading:
        assert reading.categories["a.md"] == "Basics"


def test_categories_are_the_same_where_only_some_paths_are_asked_for() -> None:
    summary = "# Summary\n\n## Basics\n\n- [A](a.md)\n"
    files = [
        upload("SUMMARY.md", summary),
        upload("a.md"),
        upload("x/all.zip", make_zip({"SUMMARY.md": summary, "a.md": ""})),
    ]
    with UploadReading(files, FakeClient(), only=["a.md", "x/a.md"]) as reading:
        assert get_paths(reading) == ["a.md", "x/a.md"]
        assert reading.categories == {"a.md": "Basics", "x/a.md": "Basics"}


def test_only_these_paths_are_read_again() -> None:
    def fail() -> bytes:
        raise AssertionError("nobody asked for it")

    files = [upload("a.md"), UploadedFile("b.md", fail), UploadedFile("other.zip", fail)]
    with UploadReading(files, FakeClient(), only=["a.md"]) as reading:
        assert get_paths(reading) == ["a.md"]
        assert not reading.is_complete


def test_a_path_that_came_out_of_an_archive_is_looked_for_in_archives() -> None:
    files = [upload("a.md"), upload("all.zip", make_zip({"b.md": "", "c.md": ""}))]
    assert get_paths(read(files, only=["b.md"])) == ["b.md"]
    assert get_paths(read(files, only=["all.zip"])) == ["b.md", "c.md"]


def test_a_long_list_of_paths_is_not_looked_through_for_each_file() -> None:
    files = [upload("a.md"), upload("all.zip", make_zip({"b.md": "", "c.md": ""}))]
    assert get_paths(read(files, only=LongList(["a.md", "b.md"]))) == ["a.md", "b.md"]


def test_what_is_to_be_fetched_comes_last_each_after_a_pause() -> None:
    client = FakeClient({"https://x.org/a": b"a", "https://x.org/c": b"c"})
    files = [
        from_url("a.md", "https://x.org/a"),
        upload("b.md", "b"),
        from_url("c.md", "https://x.org/c"),
        upload("d.md"),
    ]
    given: list[str | None] = []
    with UploadReading(files, client) as reading:
        for file in reading:
            given.append(None if isinstance(file, Pause) else file.path)
            assert len(client.limits) == sum(path in ("a.md", "c.md") for path in given)
    assert given == ["b.md", "d.md", None, "a.md", None, "c.md"]


@pytest.mark.parametrize(
    ("first", "second", "content"),
    [
        (from_url("a.md", "https://x.org/a"), upload("all.zip", make_zip({"a.md": "packed"})), b"packed"),
        (upload("all.zip", make_zip({"a.md": "packed"})), from_url("a.md", "https://x.org/a"), b"fetched"),
        (from_url("all.zip", "https://x.org/all.zip"), upload("a.md", "sent"), b"sent"),
        (upload("a.md", "sent"), from_url("all.zip", "https://x.org/all.zip"), b"packed"),
    ],
)
def test_the_later_of_two_counts_in_whichever_order_they_are_read(
    first: UploadedFile, second: UploadedFile, content: bytes
) -> None:
    archive = make_zip({"a.md": "packed"})
    archive.seek(0)
    client = FakeClient({"https://x.org/a": b"fetched", "https://x.org/all.zip": archive.read()})
    last: RawDocument | RefusedFile | None = None
    with UploadReading([first, second], client) as reading:
        for file in reading:
            assert not isinstance(file, RefusedFile)
            last = last if isinstance(file, Pause) else file
    assert isinstance(last, RawDocument)
    assert last.content == content


def test_it_stops_when_told_to() -> None:
    asked = iter([False, True])
    with UploadReading([upload("a.md"), upload("b.md")], FakeClient(), should_stop=lambda: next(asked)) as reading:
        assert get_paths(reading) == ["a.md"]
        assert not reading.is_complete


def test_uploads_know_what_others_are_called() -> None:
    files = [
        upload("page.rst", "See :ref:`sails`.\n"),
        upload("sails.rst", ".. _sails:\n\nAll sails\n=========\n"),
        from_url("z.rst", "https://x.org/z"),
    ]
    for only in (None, ["page.rst"]):
        page = read(files, FakeClient({"https://x.org/z": b"Z"}), only=only)[0]
        assert isinstance(page, RawDocument)
        assert parse(page).content == "See [All sails](sails.rst#sails).\n"
