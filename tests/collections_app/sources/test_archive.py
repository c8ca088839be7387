"""An archive's files: with clean paths, in bounded memory; what is hostile, damaged or too much is refused with the reason."""

from __future__ import annotations

import io
import json
import random
import stat
import struct
import tarfile
import tracemalloc
import zipfile
from collections.abc import Callable, Iterator
from typing import Any, BinaryIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collections_app.exceptions import FileTooLarge, IngestError, ParseError, UnsupportedFormat
from collections_app.parsing import parse
from collections_app.parsing.documents import RawDocument
from collections_app.parsing.includes import MAX_FILE_BYTES
from collections_app.sources import RefusedFile, archive_includes
from collections_app.sources.archive import ArchiveReading
from collections_app.sources.archive_formats import ArchiveLimits
from collections_app.sources.categories import TOO_LARGE
from collections_app.sources.selection import FileChoice
from tests.collections_app.sources.archives import Files, add_to_tar, make_tar, make_zip

MIB = 1024**2

MAKERS: list[Callable[[Files], BinaryIO]] = [
    make_zip,
    make_tar,
    lambda files: make_tar(files, "w:gz"),
    lambda files: make_tar(files, "w:bz2"),
]
every_format = pytest.mark.parametrize("make", MAKERS, ids=["zip", "tar", "tar.gz", "tar.bz2"])


def read(file: BinaryIO, **options: Any) -> dict[str, bytes]:
    """Path → content of what is read; a refusal fails the test."""
    with ArchiveReading(file, **options) as reading:
        files = list(reading)
        assert sorted(reading.listed) == sorted(file.path for file in files)
    return {file.path: get_document(file).content for file in files}


def get_document(file: RawDocument | RefusedFile) -> RawDocument:
    assert isinstance(file, RawDocument), file
    return file


def get_refused(file: BinaryIO, **options: Any) -> dict[str, str]:
    """Path → message of what is refused."""
    with ArchiveReading(file, **options) as reading:
        return {file.path: file.error.message for file in reading if isinstance(file, RefusedFile)}


def test_an_exported_collection_is_told_from_documents() -> None:
    exported = {"documents/a.md.json": b"{}", "content/a.md.md": b"# A", "manifest.json": b"{}"}
    with pytest.raises(UnsupportedFormat, match="docsmcp import_collection"):
        read(make_zip(exported))
    assert read(make_zip(exported | {"content/b.md": b"# B"})) == {"content/a.md.md": b"# A", "content/b.md": b"# B"}


@every_format
def test_it_reads_supported_files(make: Callable[[Files], BinaryIO]) -> None:
    assert read(make({"a.md": "# A", "b/c.MD": "# C", "logo.png": "no"})) == {"a.md": b"# A", "b/c.MD": b"# C"}


@every_format
def test_one_folder_that_holds_everything_is_left_out(make: Callable[[Files], BinaryIO]) -> None:
    assert list(read(make({"docs-1.2/a.md": "", "docs-1.2/b/c.md": "", "docs-1.2/logo.png": ""}))) == ["a.md", "b/c.md"]


@every_format
def test_a_page_holds_the_files_of_the_archive_that_it_includes(make: Callable[[Files], BinaryIO]) -> None:
    files = {
        "p-1/docs/a.md": '{* ../src/sail.py *}\n--8<-- "docs/part.md"\n{* ../../out.py *}\n{* gone.py *}\n',
        "p-1/docs/b.md": '--8<-- "docs/part.md"\n',
        "p-1/docs/part.md": "{* ../src/sail.py *}\n",
        "p-1/src/sail.py": "hoist()",
    }
    fence = "```python\nhoist()\n```\n"
    for only in (None, ["docs/a.md", "docs/b.md"]):
        given = read(make(files), choice=FileChoice(exclude=["part.md"]), only=only)
        assert given == {
            "docs/a.md": f"{fence}{fence}{{* ../../out.py *}}\n{{* gone.py *}}\n".encode(),
            "docs/b.md": fence.encode(),
        }


@every_format
def test_an_api_description_has_what_it_refers_to_in_the_archive(make: Callable[[Files], BinaryIO]) -> None:
    files = {
        "p-1/openapi.yaml": "openapi: 3.0.3\ninfo: {title: Boats}\npaths:\n  /boats:\n    get: {$ref: paths/boats.yaml}\n",
        "p-1/paths/boats.yaml": "summary: List boats\nrequestBody: {$ref: ../parts/body.yaml}\n",
        "p-1/parts/body.yaml": "description: None.\n",
    }
    [content] = read(make(files)).values()
    whole = json.loads(content)
    assert whole["paths"]["/boats"]["get"]["summary"] == "List boats"
    assert whole["components"] == {"requestBodies": {"body": {"description": "None."}}}


@every_format
def test_wikilinks_of_an_archive_lead_to_its_files_and_put_them_in(make: Callable[[Files], BinaryIO]) -> None:
    files = {
        "vault-1/.obsidian/app.json": "{}",
        "vault-1/logs/Day.md": "![[Rope#^hemp]]\n\n[[rope|The rope]], [[Lost]], ![[mast.png]]\n",
        "vault-1/Lone.md": "[[Lost]]\n",
        "vault-1/gear/Rope.md": "Of hemp. ^hemp\n",
        "vault-1/files/mast.png": "",
    }
    for only in (None, ["logs/Day.md", "Lone.md"]):
        given = read(make(files), only=only)
        assert given["logs/Day.md"] == b"Of hemp.\n\n[The rope](../gear/Rope.md), Lost, ![mast](../files/mast.png)\n"
        assert given["Lone.md"] == b"Lost\n"


@every_format
def test_pages_of_an_archive_have_the_attributes_of_their_antora_component(make: Callable[[Files], BinaryIO]) -> None:
    files = {
        "sea-1/docs/modules/ROOT/pages/a.adoc": b"By {boat} to {harbour}.\n",
        "sea-1/docs/antora.yml": b"asciidoc:\n  attributes:\n    boat: dinghy\n",
        "sea-1/antora-playbook.yml": b"asciidoc:\n  attributes:\n    harbour: Oban\n",
    }
    (content,) = read(make(files)).values()
    assert content == b":boat: dinghy\n:harbour: Oban\nBy {boat} to {harbour}.\n"


@every_format
def test_pages_of_an_archive_have_what_their_site_s_variables_stand_for(make: Callable[[Files], BinaryIO]) -> None:
    files = {
        "sea-1/docs/a.md": b"By {{ site.boat }}, {{ site.boat }} and {% data variables.sea.harbour %}.\n",
        "sea-1/docs/b.md": b"By {{ site.boat }}.\n",
        "sea-1/_config.yml": b"boat: dinghy\n",
        "sea-1/data/variables/sea.yml": b"harbour: Oban\n",
    }
    assert sorted(read(make(files)).values()) == [b"By dinghy, dinghy and Oban.\n", b"By dinghy.\n"]


@every_format
def test_pages_of_an_archive_of_myst_name_each_other(make: Callable[[Files], BinaryIO]) -> None:
    files = {
        "sea-1/docs/a.md": b"See {ref}`ropes` and [](b.md).\n",
        "sea-1/docs/b.md": b"# Knots\n\n(ropes)=\n## All ropes\n",
    }
    shown = {False: "See ropes and [b.md](b.md).\n", True: "See [All ropes](b.md#ropes) and [Knots](b.md).\n"}
    for has_configuration, text in shown.items():
        configuration: Files = {"sea-1/docs/conf.py": b""} if has_configuration else {}
        with ArchiveReading(make({**files, **configuration})) as reading:
            pages = {file.path: parse(file).content for file in reading if isinstance(file, RawDocument)}
        assert pages["docs/a.md"] == text


@every_format
def test_pages_of_an_archive_are_called_as_its_navigation_has_it(make: Callable[[Files], BinaryIO]) -> None:
    files = {
        "sea-1/docs/tie.md": b"Tie.\n",
        "sea-1/docs/set.md": b'Set.\n\n--8<-- "part.md"\n',
        "sea-1/mkdocs.yml": b"markdown_extensions: [pymdownx.snippets: {base_path: parts}]\nnav: [{Knots: tie.md}, {Sails: set.md}]\n",
        "sea-1/parts/part.md": b"Haul.\n",
    }
    with ArchiveReading(make(files)) as reading:
        pages = {file.path: parse(file) for file in reading if isinstance(file, RawDocument)}
    assert (pages["docs/tie.md"].title, pages["docs/set.md"].title) == ("Knots", "Sails")
    assert "Haul." in pages["docs/set.md"].content


@every_format
def test_titles_of_other_pages_of_an_archive_have_what_their_variables_stand_for(
    make: Callable[[Files], BinaryIO],
) -> None:
    files = {
        "sea-1/content/a.md": b"See [AUTOTITLE](/b).\n",
        "sea-1/content/b.md": b"---\ntitle: The {% data variables.sea.harbour %}\n---\n",
        "sea-1/data/variables/sea.yml": b"harbour: port of Oban\n",
    }
    with ArchiveReading(make(files), choice=FileChoice(["content/"])) as reading:
        pages = {file.path: parse(file).content for file in reading if isinstance(file, RawDocument)}
    assert pages["content/a.md"] == "See [The port of Oban](b.md).\n"


def test_an_included_file_of_another_archive_in_the_same_folder_is_not_read() -> None:
    archive = make_zip({"a.md": "{* b.py *}", "x/c.py": ""})
    assert read(archive, folder="manuals")["manuals/a.md"] == b"{* b.py *}"


@every_format
def test_an_included_file_that_cannot_be_taken_stays_as_the_page_writes_it(make: Callable[[Files], BinaryIO]) -> None:
    files: Files = {
        "a.md": "{* large.py *}\n{* small.py *}",
        "large.py": b"#" * (MAX_FILE_BYTES + 1),
        "small.py": "hoist()",
    }
    assert read(make(files)) == {"a.md": b"{* large.py *}\n```python\nhoist()\n```"}


def test_included_files_of_an_archive_have_a_limit_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive_includes, "MAX_KEPT_BYTES", 10)
    files = {"a.md": "{* a.py *}\n{* b.py *}", "a.py": "hoist()", "b.py": "lower()"}
    assert read(make_zip(files)) == {"a.md": b"```python\nhoist()\n```\n{* b.py *}"}


def test_a_link_of_an_archive_is_not_included() -> None:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as archive:
        add_to_tar(archive, "a.md", b"{* out.py *}")
        add_to_tar(archive, "out.py", type=tarfile.SYMTYPE, linkname="/etc/passwd")
    assert read(packed) == {"a.md": b"{* out.py *}"}


def test_a_folder_beside_files_stays() -> None:
    assert list(read(make_zip({"docs/a.md": "", "b.md": ""}))) == ["docs/a.md", "b.md"]
    assert list(read(make_zip({"docs/a.md": "", "other/b.md": ""}))) == ["docs/a.md", "other/b.md"]


def test_what_systems_put_beside_files_is_passed_over() -> None:
    files = {"docs/a.md": "", "__MACOSX/docs/._a.md": "", "__MACOSX/docs/b.md": "", ".DS_Store": "", "Thumbs.db": ""}
    assert list(read(make_zip(files), choice=FileChoice(["**"]))) == ["a.md"]


def test_include_exclude_and_folder_choose_and_place_files() -> None:
    archive = make_zip({"a.md": "", "b/c.md": "", "b/d.txt": ""})
    assert list(read(archive, choice=FileChoice(["*.md"], ["/manuals/a.md"]), folder="manuals")) == ["manuals/b/c.md"]


@every_format
def test_only_these_paths_are_read_again(make: Callable[[Files], BinaryIO]) -> None:
    with ArchiveReading(make({"a.md": "", "b.md": ""}), only={"b.md"}) as reading:
        assert [file.path for file in reading] == ["b.md"]
        assert not reading.is_complete


def test_it_is_complete_once_all_was_read() -> None:
    with ArchiveReading(make_zip({"a.md": ""})) as reading:
        assert not reading.is_complete
        list(reading)
        assert reading.is_complete


@every_format
def test_it_takes_categories_from_the_navigation(make: Callable[[Files], BinaryIO]) -> None:
    archive = make({"docs/SUMMARY.md": "# Summary\n\n## Basics\n\n- [A](a.md)\n", "docs/a.md": "# A"})
    with ArchiveReading(archive) as reading:
        assert reading.categories == {"a.md": "Basics"}


@every_format
def test_navigation_may_be_spread_over_files(make: Callable[[Files], BinaryIO]) -> None:
    archive = make(
        {
            "sea-1/a.md": "# A",
            "sea-1/nav/basics.json": '{"group": "Basics", "pages": ["a"]}',
            "sea-1/nav/all.json": '[{"$ref": "basics.json"}]',
            "sea-1/docs.json": '{"navigation": {"$ref": "nav/all.json"}}',
        }
    )
    with ArchiveReading(archive, folder="x") as reading:
        assert reading.categories["x/a.md"] == "Basics"


@every_format
def test_of_what_a_navigation_names_only_so_much_is_kept(
    make: Callable[[Files], BinaryIO], monkeypatch: pytest.MonkeyPatch
) -> None:
    parts = {f"nav/{page}.json": f'{{"group": "Part {page}", "pages": ["{page}"]}}' for page in "abc"}
    pages = {f"{page}.md": f"# {page}" for page in "abc"}
    top = '{"navigation": [{"$ref": "nav/a.json"}, {"$ref": "nav/b.json"}, {"$ref": "nav/c.json"}]}'
    files = {"docs.json": top, **parts, **pages}
    kept = len(top) + 2 * len(parts["nav/a.json"])
    monkeypatch.setattr("collections_app.sources.archive._MAX_KEPT_BYTES", kept)
    with ArchiveReading(make(files)) as reading:
        assert [reading.categories.get(path) for path in pages] == ["Part a", "Part b", None]
        assert reading.left_out[TOO_LARGE] == 1
        assert reading.left_out.paths[TOO_LARGE] == ["nav/c.json"]


@every_format
def test_navigation_that_is_no_document_gives_categories_unless_it_is_excluded(
    make: Callable[[Files], BinaryIO],
) -> None:
    archive = make(
        {
            "sea-1/mkdocs.yml": "nav: [{Basics: [a.md]}]",
            "sea-1/docs/a.md": "# A",
            "sea-1/docs/b/_category_.json": '{"label": "More"}',
            "sea-1/docs/b/c.md": "# C",
        }
    )
    with ArchiveReading(archive, folder="x") as reading:
        found = {path: reading.categories.get(path) for path in reading.listed}
        assert found == {"x/docs/a.md": "Basics", "x/docs/b/c.md": "More"}
    with ArchiveReading(archive, folder="x", only=["x/docs/a.md"]) as reading:
        assert reading.categories["x/docs/a.md"] == "Basics"
    with ArchiveReading(archive, FileChoice(exclude=["mkdocs.yml", "_category_.json"])) as reading:
        assert reading.categories == {}


@every_format
def test_a_path_counts_once_its_last_file(make: Callable[[Files], BinaryIO]) -> None:
    assert read(make({"./a.md": "old", "a.md": "new"})) == {"a.md": b"new"}


def test_an_empty_archive_is_refused() -> None:
    with pytest.raises(UnsupportedFormat, match="There is no file in the archive"):
        read(make_zip({}))


@every_format
@pytest.mark.parametrize("name", ["../a.md", "a/../../b.md", "/etc/a.md", "C:/a.md", "a\nb.md"])
def test_a_path_that_leads_out_is_refused(make: Callable[[Files], BinaryIO], name: str) -> None:
    refused = get_refused(make({name: "", "good.md": "", "x/good.md": ""}))
    assert list(refused) == [name.replace("\n", "\ufffd")]
    assert "Its path" in refused[name.replace("\n", "\ufffd")]


def test_a_path_that_leads_out_is_told_as_such_and_not_as_a_format() -> None:
    with ArchiveReading(make_zip({"../a.md": "", "b.md": ""})) as reading:
        codes = [file.error.code for file in reading if isinstance(file, RefusedFile)]
    assert codes == ["INVALID_PARAMETER"]


def test_backslashes_in_a_zip_separate_folders() -> None:
    assert list(read(make_zip({"a\\b.md": "", "c.md": ""}))) == ["a/b.md", "c.md"]
    assert list(get_refused(make_zip({"..\\b.md": ""}))) == ["../b.md"]


def test_a_folder_in_a_zip_may_end_in_a_backslash() -> None:
    files = {"docs\\": "", "docs\\guide\\": "", "docs\\guide\\a.md": "# A", "b.md": "# B"}
    assert list(read(make_zip(files))) == ["docs/guide/a.md", "b.md"]


def test_names_in_a_zip_are_utf8_or_those_of_dos() -> None:
    for encoded in ("é".encode(), "é".encode("cp437")):
        archive = make_zip({"x" * len(encoded) + ".md": ""})
        archive.seek(0)
        renamed = io.BytesIO(archive.read().replace(b"x" * len(encoded) + b".md", encoded + b".md"))
        assert list(read(renamed)) == ["é.md"]


def test_a_link_or_device_is_refused() -> None:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as archive:
        add_to_tar(archive, "symbolic.md", type=tarfile.SYMTYPE, linkname="/etc/passwd")
        add_to_tar(archive, "hard.md", type=tarfile.LNKTYPE, linkname="good.md")
        add_to_tar(archive, "pipe.md", type=tarfile.FIFOTYPE)
        add_to_tar(archive, "device.md", type=tarfile.CHRTYPE)
        add_to_tar(archive, "good.md", b"good")
    refused = get_refused(packed)
    assert sorted(refused) == ["device.md", "hard.md", "pipe.md", "symbolic.md"]
    assert all("only regular files" in message for message in refused.values())


def test_a_symbolic_link_in_a_zip_is_refused() -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        link = zipfile.ZipInfo("link.md")
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        archive.writestr(link, "/etc/passwd")
    assert "only regular files" in get_refused(packed)["link.md"]


def test_an_encrypted_entry_is_refused() -> None:
    content = bytearray(get_bytes(make_zip({"a.md": "secret", "b/c.md": ""})))
    content[content.index(b"PK\x01\x02") + 8] |= 1
    assert "encrypted" in get_refused(io.BytesIO(content))["a.md"]


def test_an_archive_in_an_archive_is_refused() -> None:
    refused = get_refused(make_zip({"a.md": "", "more.zip": get_bytes(make_zip({"b.md": ""}))}))
    assert "archive in an archive" in refused["more.zip"]


@every_format
def test_a_file_over_the_limit_is_refused_and_the_others_read(make: Callable[[Files], BinaryIO]) -> None:
    with ArchiveReading(make({"a.md": "x" * 11, "b.md": "x" * 10}), choice=FileChoice(max_file_bytes=10)) as reading:
        over, at = reading
    assert isinstance(over, RefusedFile)
    assert isinstance(over.error, FileTooLarge)
    assert over.error.details == {"size_bytes": 11, "max_file_bytes": 10}
    assert get_document(at).path == "b.md"


def get_bytes(file: BinaryIO) -> bytes:
    file.seek(0)
    return file.read()


@every_format
def test_too_many_files_are_refused_before_any_is_read(make: Callable[[Files], BinaryIO]) -> None:
    archive = make({f"{number}.md": "" for number in range(11)})
    assert len(read(archive, limits=ArchiveLimits(max_entries=11))) == 11
    with pytest.raises(FileTooLarge, match="more than 10 files"), ArchiveReading(archive, limits=ArchiveLimits(10)):
        pass


@every_format
def test_too_much_in_total_is_refused_before_any_is_read(make: Callable[[Files], BinaryIO]) -> None:
    noise = random.Random(0).randbytes(60_000)
    archive, limits = make({"a.md": noise, "b.md": noise}), ArchiveLimits(max_total_bytes=100_000)
    with pytest.raises(FileTooLarge, match="100,000 bytes"), ArchiveReading(archive, limits=limits):
        pass


@pytest.mark.parametrize("make", [make_zip, lambda files: make_tar(files, "w:gz")], ids=["zip", "tar.gz"])
def test_what_unpacks_to_a_hundred_times_its_size_is_refused(make: Callable[[Files], BinaryIO]) -> None:
    archive = make({f"{number}.md": bytes(4 * MIB) for number in range(5)})
    with pytest.raises(FileTooLarge, match="100 times its size"), ArchiveReading(archive):
        pass


def test_a_small_archive_may_be_compressed_well() -> None:
    assert len(read(make_zip({"a.md": bytes(5 * MIB)}))["a.md"]) == 5 * MIB


def test_a_zip_that_lies_about_its_sizes_is_left_where_it_passes_the_limit() -> None:
    """Its directory says that each file has one byte."""
    content = bytearray(get_bytes(make_zip({f"{number}.md": bytes(4 * MIB) for number in range(5)})))
    for at in iter_finds(content, b"PK\x01\x02"):
        content[at + 24 : at + 28] = struct.pack("<I", 1)
    with ArchiveReading(io.BytesIO(content)) as reading:
        assert all(isinstance(file, RefusedFile) or len(file.content) <= 1 for file in reading)


def test_a_zip_of_overlapping_files_is_left_where_it_passes_the_limit() -> None:
    """All of a thousand names lead to the same compressed bytes, as in David Fifield's bombs."""
    archive = make_overlapping_zip(names=1000, unpacked_bytes=4 * MIB)
    tracemalloc.start()
    with pytest.raises(FileTooLarge), ArchiveReading(archive) as reading:
        list(reading)
    assert tracemalloc.get_traced_memory()[1] < 40 * MIB
    tracemalloc.stop()


def make_overlapping_zip(names: int, unpacked_bytes: int) -> BinaryIO:
    content = get_bytes(make_zip({"0000.md": bytes(unpacked_bytes)}))
    at = content.index(b"PK\x01\x02")
    entry = content[at : content.index(b"PK\x05\x06")]
    directory = b"".join(entry.replace(b"0000.md", b"%04d.md" % number) for number in range(names))
    end = struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, names, names, len(directory), at, 0)
    return io.BytesIO(content[:at] + directory + end)


def test_a_bomb_in_bzip2_is_unpacked_no_further_than_it_is_read() -> None:
    """A few hundred bytes, of which its directory says that they are a kilobyte and which are a hundred megabytes."""
    content = bytearray(get_bytes(make_zip({"a.md": bytes(100 * MIB), "b.md": "b"}, zipfile.ZIP_BZIP2)))
    at = content.index(b"PK\x01\x02")
    content[at + 24 : at + 28] = struct.pack("<I", 1024)
    tracemalloc.start()
    with pytest.raises(FileTooLarge, match="100 times its size"), ArchiveReading(io.BytesIO(content)) as reading:
        list(reading)
    assert tracemalloc.get_traced_memory()[1] < 40 * MIB
    tracemalloc.stop()


def test_a_zip_in_bzip2_is_read() -> None:
    noise = random.Random(0).randbytes(3 * MIB)
    assert read(make_zip({"a.md": noise, "b.md": ""}, zipfile.ZIP_BZIP2)) == {"a.md": noise, "b.md": b""}


def iter_finds(content: bytes | bytearray, what: bytes) -> Iterator[int]:
    at = content.find(what)
    while at >= 0:
        yield at
        at = content.find(what, at + 1)


def test_a_directory_of_a_zip_that_is_too_large_is_not_read() -> None:
    archive = make_zip({f"{number:05}.md": "" for number in range(2000)}, zipfile.ZIP_STORED)
    with pytest.raises(FileTooLarge, match="too many files"), ArchiveReading(archive, limits=ArchiveLimits(10)):
        pass


def test_a_header_of_a_tar_that_does_not_end_is_not_read() -> None:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz", format=tarfile.PAX_FORMAT) as archive:
        add_to_tar(archive, "a.md", pax_headers={"comment": "x" * 20 * MIB})
    tracemalloc.start()
    with pytest.raises(IngestError), ArchiveReading(packed, limits=ArchiveLimits(free_bytes=10**9)):
        pass
    assert tracemalloc.get_traced_memory()[1] < 8 * MIB
    tracemalloc.stop()


def test_only_one_file_is_in_memory_at_a_time() -> None:
    noise = random.Random(0).randbytes(MIB)
    archive = make_zip({f"{number}.md": noise for number in range(50)}, zipfile.ZIP_STORED)
    tracemalloc.start()
    with ArchiveReading(archive) as reading:
        assert sum(len(get_document(file).content) for file in reading) == 50 * MIB
    assert tracemalloc.get_traced_memory()[1] < 8 * MIB
    tracemalloc.stop()


@pytest.mark.parametrize("make", MAKERS[1:], ids=["tar", "tar.gz", "tar.bz2"])
def test_a_tar_that_breaks_off_is_refused(make: Callable[[Files], BinaryIO]) -> None:
    content = get_bytes(make({"a.md": random.Random(0).randbytes(30_000), "b.md": "b"}))
    with pytest.raises(ParseError, match="damaged"), ArchiveReading(io.BytesIO(content[:20_000])):
        pass


def test_a_damaged_file_in_a_tar_is_refused_and_the_others_before_it_read() -> None:
    """A sparse file (GNU's old form) that says it has more than is stored."""
    info = tarfile.TarInfo("b.md")
    info.size = 512
    header = bytearray(info.tobuf(tarfile.GNU_FORMAT))
    header[156:157] = tarfile.GNUTYPE_SPARSE
    header[386:410] = b"%011o\0%011o\0" % (0, 100_000)
    header[483:495] = b"%011o\0" % 100_000
    header[148:156] = b" " * 8
    header[148:156] = b"%06o\0 " % sum(header)
    content = get_bytes(make_tar({"a.md": "# A"}))[:1024] + header + b"b" * 512
    with ArchiveReading(io.BytesIO(content)) as reading:
        good, damaged = reading
    assert get_document(good).content == b"# A"
    assert isinstance(damaged, RefusedFile)
    assert "damaged" in damaged.error.message


def test_a_zip_that_breaks_off_is_refused() -> None:
    content = get_bytes(make_zip({"a.md": "a"}))
    with pytest.raises(ParseError, match="damaged"), ArchiveReading(io.BytesIO(content[:-30])):
        pass


def test_a_damaged_file_in_a_zip_is_refused_and_the_others_read() -> None:
    content = get_bytes(make_zip({"a.md": "first", "b.md": "second"}, zipfile.ZIP_STORED)).replace(b"first", b"fir5t")
    with ArchiveReading(io.BytesIO(content)) as reading:
        damaged, good = reading
    assert isinstance(damaged, RefusedFile)
    assert "damaged" in damaged.error.message
    assert get_document(good).content == b"second"


@pytest.mark.parametrize("content", [b"", b"# A\n", b"Rar!\x1a\x07\x00", b"\xfd7zXZ\x00", b"%PDF-1.7"])
def test_what_is_no_archive_is_refused_with_what_to_do(content: bytes) -> None:
    with pytest.raises(UnsupportedFormat, match="zip, tar"), ArchiveReading(io.BytesIO(content)):
        pass


@given(st.integers(0, 2**32), st.integers(1, 20), st.sampled_from(MAKERS))
def test_a_broken_archive_is_refused_and_never_an_error_of_a_library(
    seed: int, count: int, make: Callable[[Files], BinaryIO]
) -> None:
    chance = random.Random(seed)
    content = bytearray(get_bytes(make({"docs/a.md": "# A\n" * 50, "docs/b.md": "b", "docs/x/c.txt": "c"})))
    for _ in range(count):
        content[chance.randrange(len(content))] = chance.randrange(256)
    try:
        with ArchiveReading(io.BytesIO(content)) as reading:
            assert all(isinstance(file, RawDocument | RefusedFile) for file in reading)
    except IngestError:
        pass


@every_format
def test_pages_of_an_archive_know_what_others_are_called(make: Callable[[Files], BinaryIO]) -> None:
    files = {
        "p-1/guide/page.rst": "See :ref:`sails`.\n",
        "p-1/sails.rst": ".. _sails:\n\nAll sails\n=========\n",
        "p-1/out.rst": ".. _sails:\n\nOut\n===\n",
    }
    for only in (None, ["manuals/guide/page.rst"]):
        given = read(make(files), choice=FileChoice(exclude=["out.rst"]), only=only, folder="manuals")
        page = RawDocument("manuals/guide/page.rst", given["manuals/guide/page.rst"])
        assert parse(page).content == "See [All sails](../sails.rst#sails).\n"


@every_format
def test_names_of_pages_from_the_root_count_from_the_folder_of_the_configuration(
    make: Callable[[Files], BinaryIO],
) -> None:
    files = {
        "p-1/docs/guide/page.rst": "See :doc:`/sails`.\n",
        "p-1/docs/guide/sails.rst": "Trimming\n========\n",
        "p-1/docs/sails.rst": "Sails\n=====\n",
        "p-1/sails.rst": "Boats\n=====\n",
        "p-1/docs/conf.py": "extensions = []\n",
    }
    given = read(make(files), folder="manuals")
    page = RawDocument("manuals/docs/guide/page.rst", given["manuals/docs/guide/page.rst"])
    assert parse(page).content == "See [Sails](../sails.rst).\n"


@every_format
def test_the_configuration_in_an_archive_makes_labels_of_headings(make: Callable[[Files], BinaryIO]) -> None:
    files = {
        "p-1/docs/guide/page.rst": "See :ref:`of linen`.\n",
        "p-1/docs/sails.rst": "Sails\n=====\n\nOf linen\n--------\n",
        "p-1/docs/conf.py": "extensions = ['sphinx.ext.autosectionlabel']\n",
    }
    given = read(make(files), folder="manuals")
    page = RawDocument("manuals/docs/guide/page.rst", given["manuals/docs/guide/page.rst"])
    assert parse(page).content == "See [Of linen](../sails.rst#of-linen).\n"
