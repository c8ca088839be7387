"""A directory's files: in order, one at a time, never from outside; what cannot be taken is named with the reason."""

from __future__ import annotations

import os
import shutil
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from collections_app.exceptions import FileTooLarge, InvalidParameter, PathRefused
from collections_app.parsing import RawDocument, parse
from collections_app.sources import RefusedFile
from collections_app.sources.directory import DirectoryReading, check_directory
from collections_app.sources.selection import FileChoice
from tests.collections_app.sources.long_lists import LongList

LIMIT = 1000


def make_files(root: Path, *paths: str) -> None:
    for path in paths:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(path)


def read_all(root: Path, include: Sequence[str] = (), exclude: Sequence[str] = ()) -> list[RawDocument | RefusedFile]:
    with DirectoryReading(root, FileChoice(include, exclude, LIMIT)) as reading:
        files = list(reading)
        assert list(reading.listed) == [file.path for file in files]
    return files


def read(root: Path, include: Sequence[str] = (), exclude: Sequence[str] = ()) -> list[str]:
    """The paths that are read; a refusal fails the test."""
    files = read_all(root, include, exclude)
    assert [file for file in files if isinstance(file, RefusedFile)] == []
    return [file.path for file in files]


def get_refused(root: Path, include: Sequence[str] = (), exclude: Sequence[str] = ()) -> dict[str, str]:
    """Path → message of what is refused."""
    files = read_all(root, include, exclude)
    return {file.path: file.error.message for file in files if isinstance(file, RefusedFile)}


def enter(root: Path, include: Sequence[str] = ()) -> None:
    with DirectoryReading(root, FileChoice(include)):
        pass


def get_refusal(file: RawDocument | RefusedFile) -> RefusedFile:
    assert isinstance(file, RefusedFile)
    return file


@contextmanager
def listed_only_file(root: Path, include: Sequence[str] = ()) -> Iterator[Callable[[], RawDocument | RefusedFile]]:
    """The only file of a directory is listed; the function reads it."""
    with DirectoryReading(root, FileChoice(include, (), LIMIT)) as reading:
        assert len(reading.listed) == 1
        yield lambda: next(iter(reading))


def test_it_reads_supported_files_in_the_order_of_their_paths(tmp_path: Path) -> None:
    make_files(tmp_path, "b.md", "a/z.md", "a/b/c.MD", "a.txt", "a-b/x.mdx", "B.md", "image.png", "é.md", "Makefile")
    assert read(tmp_path) == ["B.md", "a-b/x.mdx", "a.txt", "a/b/c.MD", "a/z.md", "b.md", "é.md"]


def test_it_gives_the_bytes_as_they_are(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_bytes(b"\xef\xbb\xbf\r\n\0\xff")
    assert read_all(tmp_path) == [RawDocument("a.md", b"\xef\xbb\xbf\r\n\0\xff")]


def test_it_reads_a_file_only_when_asked_for_it(tmp_path: Path) -> None:
    make_files(tmp_path, "a.md", "b.md")
    with DirectoryReading(tmp_path) as reading:
        files = iter(reading)
        next(files)
        (tmp_path / "b.md").write_text("written since")
        assert next(files) == RawDocument("b.md", b"written since")


def test_it_reads_a_file_whose_size_and_time_are_as_they_were(tmp_path: Path) -> None:
    """Within a tick of the clock a file can be written twice."""
    for content in ("one", "two"):
        (tmp_path / "a.md").write_text(content)
        os.utime(tmp_path / "a.md", ns=(5, 7))
        assert read_all(tmp_path) == [RawDocument("a.md", content.encode())]


def test_include_and_exclude_choose_files(tmp_path: Path) -> None:
    make_files(tmp_path, "a.md", "docs/b.md", "docs/draft/c.md", "docs/d.png", "src/e.md")
    assert read(tmp_path, include=["docs/**"]) == ["docs/b.md", "docs/draft/c.md"]
    assert read(tmp_path, include=["docs/*.png"]) == ["docs/d.png"]
    assert read(tmp_path, exclude=["draft", "/a.md"]) == ["docs/b.md", "src/e.md"]
    assert read(tmp_path, include=["**/*.md"], exclude=["docs/*"]) == ["a.md", "src/e.md"]


def test_what_is_hidden_or_installed_is_passed_over(tmp_path: Path) -> None:
    make_files(
        tmp_path, ".hidden.md", ".git/a.md", ".venv/x/a.md", "node_modules/x/a.md", "src/__pycache__/a.md", "a.md"
    )
    assert read(tmp_path) == ["a.md"]
    assert read(tmp_path, include=["**/*.md", "./a.md"]) == ["a.md"]


def test_what_is_hidden_is_read_when_a_pattern_names_it(tmp_path: Path) -> None:
    make_files(tmp_path, ".github/a.md", ".git/a.md", "node_modules/x/a.md", "b.md")
    assert read(tmp_path, include=[".github/**"]) == [".github/a.md"]
    assert read(tmp_path, include=["node_modules/x/*.md"]) == ["node_modules/x/a.md"]


def test_what_generators_make_pages_with_is_passed_over(tmp_path: Path) -> None:
    make_files(
        tmp_path, "_includes/nav.html", "a/_layouts/page.html", "docs/_templates/x.rst", "_data/y.md", "_sass/z.md"
    )
    make_files(
        tmp_path, "docs/_autoapi_templates/python/class.rst", "a/layouts/partials/b/x.html", "layouts/_default/x.html"
    )
    make_files(
        tmp_path, "_posts/a.md", "_index.md", "templates/b.md", "layouts/c.md", "_layouts.md", "my_templates/d.md"
    )
    taken = ["_index.md", "_layouts.md", "_posts/a.md", "layouts/c.md", "my_templates/d.md", "templates/b.md"]
    assert read(tmp_path) == taken
    assert read(tmp_path, include=["docs/_templates/**"]) == ["docs/_templates/x.rst"]
    assert read(tmp_path, include=["a/layouts/partials/**"]) == ["a/layouts/partials/b/x.html"]


def test_of_sites_that_were_built_what_is_for_browsing_is_passed_over(tmp_path: Path) -> None:
    make_files(
        tmp_path, "html/_sources/guide.rst.txt", "html/_modules/sea.html", "html/genindex.html", "html/guide.html"
    )
    make_files(
        tmp_path, "api/index-all.html", "api/sea/class-use/Boat.html", "api/sea/Boat.html", "api/doc-index-tuning.html"
    )
    make_files(tmp_path, "target/site/jacoco/a.html", "target/site/surefire-report.html", "docs/jacoco/use.html")
    taken = ["api/doc-index-tuning.html", "api/sea/Boat.html", "docs/jacoco/use.html", "html/guide.html"]
    assert read(tmp_path) == taken
    assert read(tmp_path, include=["html/_sources/*.txt"]) == ["html/_sources/guide.rst.txt"]
    assert read(tmp_path, include=["**/index-all.html"]) == ["api/index-all.html"]


def test_what_doxygen_makes_for_browsing_is_passed_over(tmp_path: Path) -> None:
    lists = [
        "functions_func.html",
        "functions_~.html",
        "globals_defs_0x67.html",
        "globals_o.html",
        "namespacemembers_vars_b.html",
    ]
    make_files(tmp_path, *(f"docs/html/{name}" for name in [*lists, "oar_8h_source.html", "classBoat-members.html"]))
    taken = [
        "classBoat.html",
        "functions.html",
        "functions_list.html",
        "globals_old.html",
        "oar_8h.html",
        "open_source.html",
    ]
    make_files(tmp_path, *taken)
    assert read(tmp_path) == taken
    assert read(tmp_path, include=["**/oar_8h_source.html"]) == ["docs/html/oar_8h_source.html"]


def test_what_is_passed_over_by_names_that_pages_may_have_too_is_told(tmp_path: Path) -> None:
    make_files(
        tmp_path, "_sources/guide.md", "_sources/b/c.md", "genindex.html", "requirements.txt", ".hidden/_modules/x.md"
    )
    with DirectoryReading(tmp_path) as reading:
        told = reading.left_out
    assert {reason.partition(" ")[0]: paths for reason, paths in told.paths.items()} == {
        "called": ["_sources/", "genindex.html"],
        "Texts": ["requirements.txt"],
    }
    with DirectoryReading(tmp_path, FileChoice(exclude=["_sources/", "*.txt", "genindex.html"])) as reading:
        assert not reading.left_out


def test_a_page_may_include_what_is_passed_over(tmp_path: Path) -> None:
    make_files(tmp_path, "_includes/note.md")
    (tmp_path / "a.md").write_text("{% include note.md %}\n")
    assert read_all(tmp_path) == [RawDocument("a.md", b"_includes/note.md\n")]


def test_wikilinks_lead_to_files_of_the_directory_and_put_them_in(tmp_path: Path) -> None:
    make_files(tmp_path, "gear/Rope.md", "files/mast.png", ".obsidian/app.json", "drafts/Idea.md", "b/.trash/Old.md")
    (tmp_path / "gear/Rope.md").write_text("Of hemp. ^hemp\n")
    (tmp_path / "Day.md").write_text(
        "![[Rope#^hemp]]\n\n[[rope|The rope]], [[Lost]], [[Idea]], [[Old]], ![[mast.png]]\n"
    )
    (tmp_path / "Lone.md").write_text("[[Lost]]\n")
    day, lone, _ = read_all(tmp_path, exclude=["drafts"])
    assert isinstance(day, RawDocument)
    assert day.content == b"Of hemp.\n\n[The rope](gear/Rope.md), Lost, Idea, Old, ![mast](files/mast.png)\n"
    assert lone == RawDocument("Lone.md", b"Lost\n")


def test_a_page_is_another_when_a_file_that_it_names_comes(tmp_path: Path) -> None:
    (tmp_path / "Day.md").write_text("[[Rope]] and [[Mast|the tall mast]]\n")
    assert read_all(tmp_path) == [RawDocument("Day.md", b"Rope and the tall mast\n")]
    make_files(tmp_path, "gear/Rope.md")
    assert read_all(tmp_path)[0] == RawDocument("Day.md", b"[Rope](gear/Rope.md) and the tall mast\n")


def test_an_excluded_directory_is_not_looked_into(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make_files(tmp_path, "build/a.md", "b.md")
    deny(monkeypatch, "scandir", "build")
    assert read(tmp_path, exclude=["build/**"]) == ["b.md"]


def test_an_empty_directory_has_nothing(tmp_path: Path) -> None:
    assert read(tmp_path) == []


def test_the_root_may_be_a_symbolic_link(tmp_path: Path) -> None:
    make_files(tmp_path, "real/a.md")
    (tmp_path / "link").symlink_to("real")
    assert read(tmp_path / "link") == ["a.md"]


def test_a_missing_root_is_refused_at_once(tmp_path: Path) -> None:
    with pytest.raises(PathRefused, match="There is no directory “nowhere”") as refused:
        enter(tmp_path / "nowhere")
    assert f"“{tmp_path}/nowhere”" in refused.value.sentence


def test_a_root_that_is_a_file_is_refused_at_once(tmp_path: Path) -> None:
    make_files(tmp_path, "a.md")
    with pytest.raises(InvalidParameter, match=r"“a\.md” is a file, .* a pattern of what is taken"):
        enter(tmp_path / "a.md")
    with pytest.raises(InvalidParameter, match="is a file"):
        enter(tmp_path / "a.md" / "b")


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("loop", "“loop” is a symbolic link that leads in a circle"),
        ("nul\0", "There is no directory"),
        ("x" * 300, "There is no directory"),
    ],
)
def test_a_root_that_is_no_path_is_refused_at_once(tmp_path: Path, name: str, said: str) -> None:
    (tmp_path / "loop").symlink_to("loop")
    with pytest.raises(InvalidParameter, match=said):
        enter(tmp_path / name)


def test_an_unreadable_root_is_refused_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    deny(monkeypatch, "scandir")
    with pytest.raises(InvalidParameter, match="may not be read"):
        enter(tmp_path)


def test_a_refusal_of_the_root_names_no_path_of_the_machine(tmp_path: Path) -> None:
    with pytest.raises(InvalidParameter) as caught:
        enter(tmp_path / "secret" / "nowhere")
    assert "secret" not in caught.value.message


def test_a_bad_pattern_is_refused_at_once(tmp_path: Path) -> None:
    with pytest.raises(InvalidParameter):
        enter(tmp_path, ["!a"])


def deny(monkeypatch: pytest.MonkeyPatch, function: str, name: str = "") -> None:
    """Let the operating system deny what file permissions would not deny root."""
    allowed = getattr(os, function)

    def refuse(path: object, *arguments: object, **options: object) -> object:
        if str(path).endswith(name):
            raise PermissionError(13, "Permission denied", str(path))
        return allowed(path, *arguments, **options)

    monkeypatch.setattr(os, function, refuse)


def test_an_unreadable_file_is_refused_and_the_others_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make_files(tmp_path, "a.md", "b.md", "c.md")
    deny(monkeypatch, "open", "b.md")
    files = read_all(tmp_path)
    assert [type(file) for file in files] == [RawDocument, RefusedFile, RawDocument]
    refused = get_refusal(files[1])
    assert refused.error.code == "FETCH_ERROR"
    assert "may not be read" in refused.error.message
    assert str(tmp_path) not in refused.error.message


def test_an_unreadable_directory_is_refused_and_the_others_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_files(tmp_path, "a.md", "b/x.md", "c.md")
    deny(monkeypatch, "scandir", "/b")
    assert list(get_refused(tmp_path)) == ["b/"]
    assert len(read_all(tmp_path)) == 3


def test_a_file_over_the_limit_is_refused_with_the_setting_to_raise(tmp_path: Path) -> None:
    (tmp_path / "at.md").write_bytes(b"x" * LIMIT)
    (tmp_path / "over.md").write_bytes(b"x" * (LIMIT + 1))
    at, over = read_all(tmp_path)
    assert isinstance(at, RawDocument)
    error = get_refusal(over).error
    assert isinstance(error, FileTooLarge)
    assert error.details == {"size_bytes": LIMIT + 1, "max_file_bytes": LIMIT}
    assert all(part in error.message for part in ("1,001", "1,000", "max_file_bytes"))


def test_a_file_that_grew_since_it_was_listed_is_refused(tmp_path: Path) -> None:
    make_files(tmp_path, "a.md")
    with listed_only_file(tmp_path) as read_it:
        (tmp_path / "a.md").write_bytes(b"x" * (LIMIT + 1))
        assert get_refusal(read_it()).error.code == "FILE_TOO_LARGE"


def test_a_file_that_is_gone_since_it_was_listed_is_refused(tmp_path: Path) -> None:
    make_files(tmp_path, "a.md")
    with listed_only_file(tmp_path) as read_it:
        (tmp_path / "a.md").unlink()
        refused = get_refusal(read_it())
    assert (refused.path, refused.error.code) == ("a.md", "FETCH_ERROR")
    assert "gone" in refused.error.message


def test_a_directory_that_vanishes_while_it_is_listed_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_files(tmp_path, "a.md", "b/x.md")
    scan = os.scandir

    def vanish(path: Path) -> object:
        if str(path).endswith("/b"):
            shutil.rmtree(path)
        return scan(path)

    monkeypatch.setattr(os, "scandir", vanish)
    with DirectoryReading(tmp_path) as reading:
        assert list(reading.listed) == ["a.md", "b/"]
        assert not reading.is_complete


def test_a_root_that_vanishes_while_it_is_read_is_told_for_every_file_left(tmp_path: Path) -> None:
    make_files(tmp_path, "docs/a.md", "docs/b.md", "docs/c.md")
    with DirectoryReading(tmp_path / "docs") as reading:
        files = iter(reading)
        assert next(files) == RawDocument("a.md", b"docs/a.md")
        assert reading.is_complete
        shutil.rmtree(tmp_path / "docs")
        rest = [get_refusal(file) for file in files]
    assert [file.path for file in rest] == ["b.md", "c.md"]
    assert all("The directory vanished" in file.error.message for file in rest)
    assert not reading.is_complete
    assert list(reading.listed) == ["a.md", "b.md", "c.md"]


def test_it_is_complete_when_all_was_listed_and_something_is_there(tmp_path: Path) -> None:
    with DirectoryReading(tmp_path) as empty:
        assert not empty.is_complete
    make_files(tmp_path, "a.md", "b.md")
    (tmp_path / "b.md").write_bytes(b"x" * (LIMIT + 1))
    with DirectoryReading(tmp_path, FileChoice(max_file_bytes=LIMIT)) as reading:
        assert reading.is_complete


def test_a_directory_that_cannot_be_listed_makes_it_incomplete(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make_files(tmp_path, "a.md", "b/x.md")
    deny(monkeypatch, "scandir", "/b")
    with DirectoryReading(tmp_path) as reading:
        assert not reading.is_complete


def test_listing_ends_when_the_run_is_to_end(tmp_path: Path) -> None:
    make_files(tmp_path, "a.png", "b.png", "sub/c.md")
    asked = []

    def should_stop() -> bool:
        asked.append(True)
        return True

    with DirectoryReading(tmp_path, should_stop=should_stop) as reading:
        assert not reading.listed
        assert not reading.is_complete
    assert asked == [True]


def test_only_these_paths_are_read_again(tmp_path: Path) -> None:
    make_files(tmp_path, "a.md", "b/x.md", "b/y.md", "c.png")
    with DirectoryReading(tmp_path, only=["a.md", "b/", "c.png", "gone.md"]) as reading:
        files = list(reading)
        assert list(reading.listed) == ["a.md", "b/x.md", "b/y.md", "c.png", "gone.md"]
        assert not reading.is_complete
    assert [type(file) for file in files] == [RawDocument] * 3 + [RefusedFile] * 2
    assert "gone" in get_refusal(files[-1]).error.message


def test_a_long_list_of_paths_is_not_looked_through_for_each_file(tmp_path: Path) -> None:
    make_files(tmp_path, "a.md", "b.md")
    with DirectoryReading(tmp_path, only=LongList(["b.md"])) as reading:
        assert [file.path for file in reading] == ["b.md"]


def test_it_takes_categories_from_the_navigation_nearest_to_the_root(tmp_path: Path) -> None:
    make_files(tmp_path, "guide/a.md", "guide/b.md")
    (tmp_path / "SUMMARY.md").write_text("# Summary\n\n## Basics\n\n- [A](guide/a.md)\n")
    (tmp_path / "guide/SUMMARY.md").write_text("# Summary\n\n## More\n\n- [A](a.md)\n- [B](b.md)\n")
    with DirectoryReading(tmp_path) as reading:
        assert reading.categories == {"guide/a.md": "Basics", "guide/b.md": "More"}


@pytest.mark.parametrize(
    ("choice", "expected"),
    [
        (FileChoice(), {"docs/a.md": "Basics"}),
        (FileChoice(include=["docs/**"]), {"docs/a.md": "Basics"}),
        (FileChoice(include=["**"]), {"docs/a.md": "Basics"}),
        (FileChoice(exclude=["mkdocs.yml"]), {}),
        (FileChoice(max_file_bytes=5), {}),
    ],
)
def test_navigation_that_is_no_document_gives_categories_unless_it_is_excluded(
    tmp_path: Path, choice: FileChoice, expected: dict[str, str]
) -> None:
    make_files(tmp_path, "docs/a.md")
    (tmp_path / "mkdocs.yml").write_text("nav: [{Basics: [a.md]}]")
    with DirectoryReading(tmp_path, choice) as reading:
        assert reading.categories == expected
        assert [file.path for file in reading] == list(reading.listed) == ["docs/a.md"]


def test_navigation_of_a_hidden_folder_or_outside_gives_no_categories(tmp_path: Path) -> None:
    root = tmp_path / "root"
    make_files(root, "docs/a.md", ".site/docs/a.md")
    for folder in (tmp_path, root / ".site"):
        (folder / "mkdocs.yml").write_text("nav: [{Basics: [a.md]}]")
    (root / "mkdocs.yml").symlink_to(tmp_path / "mkdocs.yml")
    with DirectoryReading(root) as reading:
        assert reading.categories == {}


def test_navigation_may_be_spread_over_files_of_the_directory_alone(tmp_path: Path) -> None:
    root = tmp_path / "root"
    make_files(root, "a.md", "b.md")
    (root / "docs.json").write_text(
        '{"navigation": [{"$ref": "in.json"}, {"$ref": "out.json"}, {"$ref": "../out.json"}]}'
    )
    (root / "in.json").write_text('{"group": "Basics", "pages": ["a"]}')
    (tmp_path / "out.json").write_text('{"group": "Others", "pages": ["b"]}')
    (root / "out.json").symlink_to(tmp_path / "out.json")
    with DirectoryReading(root) as reading:
        assert (reading.categories.get("a.md"), reading.categories.get("b.md")) == ("Basics", None)


def test_names_of_folders_are_not_counted_as_left_out(tmp_path: Path) -> None:
    make_files(tmp_path, "docs/a.md")
    (tmp_path / "docs/_category_.json").write_text('{"label": "Basics"}')
    with DirectoryReading(tmp_path) as reading:
        assert reading.categories["docs/a.md"] == "Basics"
        assert reading.left_out == {}


def test_a_root_can_be_checked_without_listing_it(tmp_path: Path) -> None:
    check_directory(tmp_path)
    with pytest.raises(InvalidParameter, match="There is no directory"):
        check_directory(tmp_path / "nowhere")


def test_a_name_that_is_not_utf8_is_refused(tmp_path: Path) -> None:
    (tmp_path / os.fsdecode(b"caf\xe9.md")).write_text("x")
    (tmp_path / os.fsdecode(b"caf\xe9.png")).write_text("x")
    (tmp_path / os.fsdecode(b"dir\xe9")).mkdir()
    refused = get_refused(tmp_path)
    assert list(refused) == ["caf?.md", "dir?/"]
    assert all("not valid UTF-8" in message for message in refused.values())


def test_a_pipe_is_refused_without_waiting_for_it(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.md")
    assert get_refused(tmp_path) == {"pipe.md": "It is not a regular file."}


def test_a_file_that_became_a_pipe_is_refused_without_waiting_for_it(tmp_path: Path) -> None:
    make_files(tmp_path, "a.md")
    with listed_only_file(tmp_path) as read_it:
        (tmp_path / "a.md").unlink()
        os.mkfifo(tmp_path / "a.md")
        assert get_refusal(read_it()).error.message == "It is not a regular file."


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A directory beside one that is not to be read."""
    make_files(tmp_path, "outside/secret.md", "root/a.md")
    return tmp_path / "root"


def test_a_link_to_a_file_inside_is_followed(root: Path) -> None:
    make_files(root, "dir/b.md")
    (root / "link.md").symlink_to("dir/b.md")
    (root / "absolute.md").symlink_to(root / "a.md")
    assert read(root) == ["a.md", "absolute.md", "dir/b.md", "link.md"]


@pytest.mark.parametrize(
    "target", ["../outside/secret.md", "../outside/../outside/secret.md", "/etc/passwd", "../root2.md"]
)
def test_a_link_to_a_file_outside_is_refused(root: Path, target: str) -> None:
    make_files(root.parent, "root2.md")
    (root / "link.md").symlink_to(target)
    refused = get_refused(root)
    assert list(refused) == ["link.md"]
    assert "leads out of the directory" in refused["link.md"]


def test_a_link_outside_that_nobody_asked_for_is_not_mentioned(root: Path) -> None:
    (root / "link.png").symlink_to("../outside/secret.md")
    assert read(root) == ["a.md"]


def test_a_link_through_another_link_outside_is_refused(root: Path) -> None:
    (root / "one.md").symlink_to("two.txt")
    (root / "two.txt").symlink_to("../outside/secret.md")
    assert list(get_refused(root)) == ["one.md", "two.txt"]


def test_a_link_to_a_directory_outside_is_refused(root: Path) -> None:
    (root / "dir").symlink_to("../outside")
    (root / "up").symlink_to("..")
    with DirectoryReading(root) as reading:
        assert list(reading.listed) == ["a.md", "dir/", "up/"]
        assert reading.is_complete
    refused = get_refused(root)
    assert list(refused) == ["dir/", "up/"]
    assert "leads out of the directory" in refused["dir/"]
    assert get_refused(root, include=["a.md"], exclude=["dir", "up"]) == {}


def test_a_directory_with_nothing_but_a_link_outside_is_not_complete(root: Path) -> None:
    (root / "a.md").unlink()
    (root / "dir").symlink_to("../outside")
    with DirectoryReading(root) as reading:
        assert (list(reading.listed), reading.is_complete) == (["dir/"], False)


# Names


def test_names_are_in_the_composed_form_of_unicode(tmp_path: Path) -> None:
    name = unicodedata.normalize("NFD", "Überblick/Größe.md")
    make_files(tmp_path, name, "z.md", "U.md")
    files = read_all(tmp_path)
    assert [file.path for file in files] == ["U.md", "z.md", "Überblick/Größe.md"]
    assert files[2] == RawDocument("Überblick/Größe.md", name.encode())


def test_a_name_that_is_there_in_two_spellings_is_refused(tmp_path: Path) -> None:
    make_files(tmp_path, "é.md", unicodedata.normalize("NFD", "é.md"), "a.md")
    assert "another Unicode spelling" in get_refused(tmp_path)["é.md"]


@pytest.mark.parametrize(("name", "message"), [("a\nb.md", "control characters"), ("C:/x.md", "absolute")])
def test_a_name_that_no_document_may_have_is_refused(tmp_path: Path, name: str, message: str) -> None:
    make_files(tmp_path, name, "a.md")
    assert message in get_refused(tmp_path)[name.replace("\n", "\ufffd")]


def test_a_name_with_a_colon_is_one_like_others(tmp_path: Path) -> None:
    make_files(tmp_path, "C:x.md", "a.md")
    assert read(tmp_path) == ["C:x.md", "a.md"]


def test_man_pages_are_told_and_what_has_a_version_in_its_name_is_not(tmp_path: Path) -> None:
    for name in (
        "man/borg.1",
        "docs/man1/git-log.1",
        "man/fetch2.1",
        "tool.8",
        "v2.1",
        "release-2.1",
        "lib.so.1",
        "a.10",
    ):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(".TH X 1\n")
    with DirectoryReading(tmp_path) as reading:
        [(reason, count)] = reading.left_out.items()
    assert count == 4
    assert reason.startswith("man pages (`.1` to `.9`): Convert them to Markdown or HTML (`pandoc`)")


def test_it_counts_what_is_left_out_and_says_what_to_do(tmp_path: Path) -> None:
    make_files(
        tmp_path, "a.md", "b.tex", "c/d.tex", "e.org", "petstore.yaml", "f.png", ".hidden.tex", "node_modules/g.tex"
    )
    with DirectoryReading(tmp_path) as reading:
        left_out = {reason.partition(":")[0]: count for reason, count in reading.left_out.items()}
        advice = " ".join(reading.left_out)
        paths = {reason.partition(":")[0]: paths for reason, paths in reading.left_out.paths.items()}
    assert left_out == {"`.tex`": 2, "`.org`": 1, "JSON and YAML": 1}
    assert paths == {"`.tex`": ["b.tex", "c/d.tex"], "`.org`": ["e.org"], "JSON and YAML": ["petstore.yaml"]}
    assert "Convert it to Markdown or HTML" in advice
    assert "Name other API descriptions by an include pattern" in advice
    with DirectoryReading(tmp_path, FileChoice(["*.yaml"])) as chosen:
        assert (list(chosen.listed), chosen.left_out) == (["petstore.yaml"], {})


def test_a_file_that_became_a_link_outside_is_refused(root: Path) -> None:
    with listed_only_file(root) as read_it:
        (root / "a.md").unlink()
        (root / "a.md").symlink_to("../outside/secret.md")
        assert "leads out" in get_refusal(read_it()).error.message


def test_a_directory_that_became_a_link_outside_is_refused(root: Path) -> None:
    make_files(root, "dir/secret.md")
    with listed_only_file(root, ["dir/**"]) as read_it:
        (root / "dir/secret.md").unlink()
        (root / "dir").rmdir()
        (root / "dir").symlink_to("../outside")
        assert "leads out" in get_refusal(read_it()).error.message


@pytest.mark.parametrize("target", ["nowhere.md", "link.md"])
def test_a_link_that_leads_nowhere_is_refused(root: Path, target: str) -> None:
    (root / "link.md").symlink_to(target)
    assert list(get_refused(root)) == ["link.md"]


def test_a_link_to_a_directory_inside_is_followed(root: Path) -> None:
    make_files(root, "v2/x/b.md")
    (root / "latest").symlink_to("v2")
    assert read(root) == ["a.md", "latest/x/b.md", "v2/x/b.md"]


def test_links_that_lead_in_a_circle_end(root: Path) -> None:
    make_files(root, "one/b.md", "two/c.md")
    (root / "one/self").symlink_to(".")
    (root / "one/up").symlink_to("..")
    (root / "one/two").symlink_to("../two")
    (root / "two/one").symlink_to("../one")
    assert read(root) == ["a.md", "one/b.md", "one/two/c.md", "one/two/one/b.md", "two/c.md"]


def test_links_that_double_at_every_step_end(root: Path) -> None:
    for number in range(40):
        make_files(root, f"{number:02}/b.md")
        (root / f"{number:02}/left").symlink_to(f"../{number + 1:02}")
        (root / f"{number:02}/right").symlink_to(f"../{number + 1:02}")
    assert len(read(root)) <= 2 * 40 + 1


def test_it_goes_deeper_than_a_recursion_could(tmp_path: Path) -> None:
    directories = [tmp_path / ("d/" * depth) for depth in range(1, 1500)]
    for directory in directories:
        directory.mkdir()
    make_files(directories[-1], "a.md")
    assert [message[:40] for message in get_refused(tmp_path).values()] == ["Its path is longer than 1,000 characters"]
    (directories[-1] / "a.md").unlink()
    for directory in reversed(directories):  # pytest's own removal is recursive
        directory.rmdir()


def test_a_path_may_begin_with_the_name_of_the_directory(tmp_path: Path) -> None:
    for path, text in {
        "a/b.md": '--8<-- "docs/parts/c.md"\n--8<-- "src/d.py"\n',
        "parts/c.md": "Haul.\n",
        "../src/d.py": "d()\n",
    }.items():
        file = tmp_path / "docs" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    with DirectoryReading(tmp_path / "docs") as reading:
        texts = {file.path: file.content for file in reading if isinstance(file, RawDocument)}
    assert texts["a/b.md"] == b'Haul.\n--8<-- "src/d.py"\n'


def test_a_page_holds_the_files_of_the_directory_that_it_includes(tmp_path: Path) -> None:
    root = tmp_path / "root"
    make_files(root, "docs/b.md", "src/sail.py", "notes/.part.md")
    (tmp_path / "outside.py").write_text("outside")
    (root / "linked.py").symlink_to(root / "src/sail.py")
    (root / "out.py").symlink_to(tmp_path / "outside.py")
    (root / "docs/a.md").write_text(
        '{* ../src/sail.py *}\n--8<-- "notes/.part.md"\n{* linked.py *}\n{* out.py *}\n{* ../../outside.py *}\n'
    )
    for only in (None, ["docs/a.md"]):
        with DirectoryReading(root, FileChoice(["docs/"]), only=only) as reading:
            read = next(iter(reading))
        assert isinstance(read, RawDocument)
        fence = "```python\nsrc/sail.py\n```\n"
        assert read.content.decode() == f"{fence}notes/.part.md\n{fence}{{* out.py *}}\n{{* ../../outside.py *}}\n"


def test_pages_of_a_directory_know_what_others_are_called(tmp_path: Path) -> None:
    make_files(tmp_path, "guide/page.rst", "sails.rst")
    (tmp_path / "guide/page.rst").write_text("See :ref:`sails`.\n")
    (tmp_path / "sails.rst").write_text(".. _sails:\n\nAll sails\n=========\n")
    for only in (None, ["guide/page.rst"]):
        with DirectoryReading(tmp_path, only=only) as reading:
            read = next(iter(reading))
        assert isinstance(read, RawDocument)
        assert parse(read).content == "See [All sails](../sails.rst#sails).\n"


@pytest.mark.parametrize(("configuration", "address"), [("docs/conf.py", "sails.md#mains"), ("_config.yml", "#mains")])
def test_links_with_words_lead_to_labels_on_sites_of_myst(tmp_path: Path, configuration: str, address: str) -> None:
    make_files(tmp_path, "docs/page.md", "docs/sails.md", configuration)
    (tmp_path / "docs/page.md").write_text("See [how to hoist](#mains).\n")
    (tmp_path / "docs/sails.md").write_text("# Sails\n\n## Hoisting {#mains}\n")

    page = next(file for file in read_all(tmp_path) if file.path == "docs/page.md")

    assert isinstance(page, RawDocument)
    assert parse(page).content == f"See [how to hoist]({address}).\n"


def test_the_configuration_of_a_directory_makes_labels_of_headings(tmp_path: Path) -> None:
    make_files(tmp_path, "docs/guide/page.rst", "docs/sails.rst", "docs/conf.py")
    (tmp_path / "docs/guide/page.rst").write_text("See :ref:`of linen`.\n")
    (tmp_path / "docs/sails.rst").write_text("Sails\n=====\n\nOf linen\n--------\n")
    contents = []
    for extension in ("autosectionlabel", "todo"):
        (tmp_path / "docs/conf.py").write_text(f"extensions = ['sphinx.ext.{extension}']\n")
        with DirectoryReading(tmp_path) as reading:
            contents.append(parse(next(file for file in reading if isinstance(file, RawDocument))).content)
    assert contents == ["See [Of linen](../sails.rst#of-linen).\n", "See of linen.\n"]


def test_names_of_pages_from_the_root_count_from_the_folder_of_the_configuration(tmp_path: Path) -> None:
    make_files(tmp_path, "docs/guide/page.rst", "docs/guide/sails.rst", "docs/sails.rst", "docs/conf.py")
    (tmp_path / "docs/conf.py").write_text("extensions = []\n")
    (tmp_path / "docs/guide/page.rst").write_text("See :doc:`/sails`.\n")
    (tmp_path / "docs/guide/sails.rst").write_text("Trimming\n========\n")
    (tmp_path / "docs/sails.rst").write_text("Sails\n=====\n")
    for root in (tmp_path, tmp_path / "docs"):
        with DirectoryReading(root) as reading:
            page = next(file for file in reading if isinstance(file, RawDocument))
        assert parse(page).content == "See [Sails](../sails.rst).\n"


def test_titles_of_other_pages_have_what_their_variables_stand_for(tmp_path: Path) -> None:
    make_files(tmp_path, "data/variables/sea.yml", "content/care.md", "content/start.md")
    (tmp_path / "data/variables/sea.yml").write_text("boat: Dinghy")
    (tmp_path / "content/care.md").write_text("---\ntitle: Caring for a {% data variables.sea.boat %}\n---\nDry it.\n")
    (tmp_path / "content/start.md").write_text("Read [AUTOTITLE](/care).\n")
    with DirectoryReading(tmp_path, FileChoice(["content/"])) as reading:
        pages = [parse(file).content for file in reading if isinstance(file, RawDocument)]
    assert pages == ["Dry it.\n", "Read [Caring for a Dinghy](care.md).\n"]


def test_a_page_changes_with_what_its_variables_stand_for(tmp_path: Path) -> None:
    make_files(tmp_path, "docs/page.md", "mkdocs.yml")
    (tmp_path / "docs/page.md").write_text("By {{ boat }}.\n")
    contents = []
    for boat in ("Ark", "Argo"):
        (tmp_path / "mkdocs.yml").write_text(f"plugins: [macros]\nextra: {{boat: {boat}}}\n")
        with DirectoryReading(tmp_path) as reading:
            contents += [file.content for file in reading if isinstance(file, RawDocument)]
    assert contents == [b"By Ark.\n", b"By Argo.\n"]


def test_titles_of_other_pages_of_a_component_have_its_attributes(tmp_path: Path) -> None:
    make_files(tmp_path, "antora.yml", "modules/ROOT/pages/page.adoc", "modules/ROOT/pages/sails.adoc")
    (tmp_path / "antora.yml").write_text("name: sea\nasciidoc:\n  attributes:\n    boat: Ark\n")
    (tmp_path / "modules/ROOT/pages/page.adoc").write_text("See xref:sails.adoc[].\n")
    (tmp_path / "modules/ROOT/pages/sails.adoc").write_text("= Sails of the {boat}\n")
    with DirectoryReading(tmp_path) as reading:
        pages = [parse(file).content for file in reading if isinstance(file, RawDocument)]
    assert pages[0] == "See [Sails of the Ark](sails.adoc).\n"
