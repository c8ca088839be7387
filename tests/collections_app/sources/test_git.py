"""A repository over HTTP: its files as they are on a branch, within limits, and the token for nobody else."""

from __future__ import annotations

import hashlib
import random
import zlib
from base64 import b64encode
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any

import pytest
from dulwich.objects import ObjectID, Tag
from dulwich.refs import Ref
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from collections_app.clients import git_requests
from collections_app.clients.git import GitRemote
from collections_app.exceptions import DocsError, FetchError, FileTooLarge, IngestError, InvalidParameter
from collections_app.parsing import parse
from collections_app.parsing.documents import RawDocument
from collections_app.sources import RefusedFile, UnchangedFile
from collections_app.sources.git import GitOptions, GitReading, pack, tree
from collections_app.sources.git.pack import GitPack
from collections_app.sources.git.web_urls import make_file_url
from collections_app.sources.parts import PART
from collections_app.sources.selection import FileChoice, Selection
from tests.collections_app.sources.git_server import HAS_GIT, LINK, SUBMODULE, Content, Served, make_commit, serve

LOOPBACK = ["127.0.0.1"]


@pytest.fixture(
    params=["dulwich", pytest.param("git", marks=pytest.mark.skipif(not HAS_GIT, reason="Git is not installed"))]
)
def served(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Served]:
    with serve(tmp_path, with_git=request.param == "git") as server:
        yield server


@pytest.fixture
def served_once(tmp_path: Path) -> Iterator[Served]:
    """Where the server makes no difference."""
    with serve(tmp_path) as server:
        yield server


def make_reading(served: Served, options: GitOptions | None = None, *, token: str = "", **more: Any) -> GitReading:
    return GitReading(GitRemote(served.url, token, LOOPBACK), options or GitOptions(), **more)


def read(served: Served, options: GitOptions | None = None, **more: Any) -> dict[str, bytes]:
    """Path → content; a refusal fails the test."""
    with make_reading(served, options, **more) as reading:
        files = list(reading)
        assert list(reading.listed) == [file.path for file in files]
    assert all(isinstance(file, RawDocument) for file in files), files
    return {file.path: file.content for file in files if isinstance(file, RawDocument)}


def get_refused(served: Served, **more: Any) -> dict[str, str]:
    with make_reading(served, **more) as reading:
        return {file.path: file.error.message for file in reading if isinstance(file, RefusedFile)}


def get_error(served: Served, options: GitOptions | None = None, **more: Any) -> DocsError:
    with pytest.raises(DocsError) as caught, make_reading(served, options, **more):
        pass
    return caught.value


def test_it_reads_the_newest_files_of_the_default_branch(served: Served) -> None:
    make_commit(served.repo, {"old.md": "old", "a.md": "old"})
    make_commit(served.repo, {"a.md": "new", "docs/b.md": "b" * 100_000, "docs/x/c.md": "", "logo.png": "no"})
    make_commit(served.repo, {"other.md": ""}, branch="other")
    assert read(served) == {"a.md": b"new", "docs/b.md": b"b" * 100_000, "docs/x/c.md": b""}


def test_it_reads_a_branch_or_a_tag(served: Served) -> None:
    make_commit(served.repo, {"a.md": "main"})
    commit = make_commit(served.repo, {"a.md": "branch"}, branch="release/2")
    served.repo.refs[Ref(b"refs/tags/light")] = ObjectID(commit.encode())
    add_tag(served, "v2", commit)
    assert read(served, GitOptions(branch="release/2")) == {"a.md": b"branch"}
    assert read(served, GitOptions(branch="light")) == {"a.md": b"branch"}
    assert read(served, GitOptions(branch="v2")) == {"a.md": b"branch"}


def add_tag(served: Served, name: str, commit: str) -> None:
    tag = Tag()
    tag.tagger, tag.tag_time, tag.tag_timezone = b"Test <test@example.org>", 0, 0
    tag.name, tag.message = name.encode(), b""
    tag.object = (type(served.repo[ObjectID(commit.encode())]), ObjectID(commit.encode()))
    served.repo.object_store.add_object(tag)
    served.repo.refs[Ref(f"refs/tags/{name}".encode())] = tag.id


def test_it_reads_a_folder_and_paths_are_relative_to_it(served: Served) -> None:
    make_commit(served.repo, {"a.md": "", "docs/en/b.md": "", "docs/en/x/c.md": "", "docs/de/d.md": ""})
    assert list(read(served, GitOptions(folder="/docs/en/"))) == ["b.md", "x/c.md"]


def test_include_and_exclude_choose_files_and_come_in_the_order_of_paths(served_once: Served) -> None:
    make_commit(
        served_once.repo, {"b.md": "", "a/x.md": "", "a-b/x.md": "", "a.md": "", "c/d.txt": "", ".github/x.md": ""}
    )
    assert list(read(served_once)) == ["a-b/x.md", "a.md", "a/x.md", "b.md", "c/d.txt"]
    assert list(read(served_once, choice=FileChoice(["a/**", "*.txt"], ["x.md"]))) == ["c/d.txt"]


def test_it_takes_categories_from_the_navigation(served_once: Served) -> None:
    make_commit(served_once.repo, {"docs/SUMMARY.md": "# Summary\n\n## Basics\n\n- [A](a.md)\n", "docs/a.md": ""})
    with make_reading(served_once, GitOptions(folder="docs")) as reading:
        assert reading.categories == {"a.md": "Basics"}


def test_navigation_may_be_spread_over_files(served_once: Served) -> None:
    named = '{"navigation": [{"$ref": "nav/all.json"}]}'
    make_commit(
        served_once.repo, {"docs.json": named, "nav/all.json": '{"group": "B", "pages": ["docs/a"]}', "docs/a.md": ""}
    )
    with make_reading(served_once, GitOptions(folder="docs")) as reading:
        assert reading.categories["a.md"] == "B"


def test_a_site_that_is_configured_above_the_folder_gives_its_pages_categories(served: Served) -> None:
    files = {
        "mkdocs.yml": "nav: [{Basics: [en/a.md]}]",
        "docs/en/a.md": "",
        "docs/en/b/_category_.yml": "label: More",
        "docs/en/b/c.md": "",
        "docs/de/a.md": "",
        "docs/de/_category_.yml": "label: Mehr",
    }
    make_commit(served.repo, dict(files))
    with make_reading(served, GitOptions(folder="docs/en")) as reading:
        assert {path: reading.categories.get(path) for path in reading.listed} == {"a.md": "Basics", "b/c.md": "More"}
        assert not any(path.startswith(("..", "docs", "/")) for path in reading.categories)
    with make_reading(served) as reading:
        assert [reading.categories[path] for path in reading.listed] == ["Mehr", "Basics", "More"]


def test_a_file_over_the_limit_is_refused_whether_the_server_leaves_it_out_or_not(served: Served) -> None:
    make_commit(served.repo, {"over.md": "x" * 101, "at.md": "x" * 100})
    with make_reading(served, choice=FileChoice(max_file_bytes=100)) as reading:
        at, over = reading
    assert isinstance(at, RawDocument)
    assert isinstance(over, RefusedFile)
    assert isinstance(over.error, FileTooLarge)
    assert "max_file_bytes" in over.error.message


def test_git_leaves_large_files_out(tmp_path: Path) -> None:
    if not HAS_GIT:
        pytest.skip("Git is not installed")
    with serve(tmp_path, with_git=True) as served:
        make_commit(served.repo, {"a.md": "a", "video.mp4": random.Random(0).randbytes(300_000)})
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(git_requests, "MAX_PACK_BYTES", 100_000)
            assert list(read(served, choice=FileChoice(max_file_bytes=1000))) == ["a.md"]


def test_links_to_files_of_the_repository_are_followed(served: Served) -> None:
    files: dict[str, Content] = {
        "README.md": "# Read",
        "docs/a.md": "a",
        "docs/up.md": (LINK, b"../README.md"),
        "docs/two.md": (LINK, b"up.md"),
    }
    make_commit(served.repo, files)
    assert read(served, GitOptions(folder="docs")) == {"a.md": b"a", "two.md": b"# Read", "up.md": b"# Read"}


def test_a_page_holds_the_files_of_the_repository_that_it_includes(served: Served) -> None:
    pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 12345\n"
    lines = ["{* ../src/sail.py *}", "{* /linked.py *}", "{* sub/x.py *}", "{* big.py *}", "{* out.py *}", "{* src *}"]
    files: dict[str, Content] = {
        "docs/en/a.md": "\n".join(lines),
        "src/sail.py": "sail()",
        "linked.py": (LINK, b"src/sail.py"),
        "out.py": (LINK, b"../src/sail.py"),
        "big.py": pointer,
        "sub": (SUBMODULE, b"1" * 40),
    }
    make_commit(served.repo, files)
    (content,) = read(served, GitOptions(folder="docs/en")).values()
    fence = "```python\nsail()\n```"
    assert content.decode() == "\n".join([fence, fence, *lines[2:]])


def test_pages_of_a_folder_are_called_as_the_navigation_of_their_repository_has_it(served: Served) -> None:
    make_commit(served.repo, {"docs/tie.md": "Tie.", "mkdocs.yml": "nav: [{Knots: tie.md}]"})
    (content,) = read(served, GitOptions(folder="docs")).values()
    assert parse(RawDocument("tie.md", content)).title == "Knots"


def test_what_is_only_a_part_of_a_page_is_left_out(served_once: Served) -> None:
    """Whether it stands in the folder that is read, or the page above it."""
    files = {"docs/a.rst": ".. include:: knots.txt\n.. include:: ../b.txt\n", "docs/knots.txt": "Knots", "b.txt": "B"}
    make_commit(served_once.repo, dict(files))
    with make_reading(served_once, GitOptions(folder="docs")) as reading:
        assert [file.path for file in reading] == list(reading.listed) == ["a.rst"]
        assert reading.left_out == {PART: 1}
    assert list(read(served_once)) == ["docs/a.rst"]
    assert list(read(served_once, only=["docs/knots.txt", "docs/a.rst"])) == ["docs/a.rst"]


def test_what_markdown_beside_it_was_made_of_is_left_out(served: Served) -> None:
    make_commit(served.repo, {"README.Rmd": "# Rig\n", "README.md": "# Rig\n", "guide.Rmd": "# Guide\n"})
    assert list(read(served)) == ["README.md", "guide.Rmd"]


def test_wikilinks_of_a_repository_lead_to_its_files_and_put_them_in(served: Served) -> None:
    files: dict[str, Content] = {
        "docs/.obsidian/app.json": "{}",
        "docs/logs/Day.md": "![[Rope#^hemp]]\n\n[[rope|The rope]], [[Lost]], [[Out]], ![[mast.png]]\n",
        "docs/gear/Rope.md": "Of hemp. ^hemp\n",
        "docs/files/mast.png": "",
        "Out.md": "",
    }
    make_commit(served.repo, files)
    content = read(served, GitOptions(folder="docs"))["logs/Day.md"]
    assert content == b"Of hemp.\n\n[The rope](../gear/Rope.md), Lost, Out, ![mast](../files/mast.png)\n"


@pytest.mark.parametrize(
    ("target", "reason"),
    [
        (b"../../etc/passwd", "out of the repository"),
        (b"/etc/passwd", "out of the repository"),
        (b"nowhere.md", "to no file"),
        (b"link.md", "to no file"),
        (b"../other", "to no file"),
        (b"", "to no file"),
        (b"../other/x.md/y", "to no file"),
        (b"./" * 5_000 + b"../other/x.md", "to no file"),
    ],
)
def test_other_links_are_refused(served_once: Served, target: bytes, reason: str) -> None:
    make_commit(served_once.repo, {"docs/link.md": (LINK, target), "other/x.md": "x"})
    refused = get_refused(served_once)
    assert list(refused) == ["docs/link.md"]
    assert reason in refused["docs/link.md"]


def test_submodules_are_passed_over_and_pointers_of_lfs_refused(served: Served) -> None:
    pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 12345\n"
    make_commit(served.repo, {"a.md": "a", "sub.md": (SUBMODULE, b"1" * 40), "big.md": pointer})
    refused = get_refused(served)
    assert list(refused) == ["big.md"]
    assert "LFS" in refused["big.md"]


def test_a_hostile_path_is_refused(served_once: Served) -> None:
    make_commit(served_once.repo, {"a.md": "", "b:c.md": "", "C:/y.md": "", "bad\n.md": ""})
    refused = get_refused(served_once)
    assert sorted(refused) == ["C:/y.md", "bad\ufffd.md"]


def test_it_is_complete_when_something_was_listed(served_once: Served) -> None:
    make_commit(served_once.repo, {"a.md": "", "b.png": ""})
    with make_reading(served_once) as reading:
        assert reading.is_complete
    with make_reading(served_once, choice=FileChoice(["*.txt"])) as empty:
        assert not empty.is_complete


def test_only_these_paths_are_read_again(served_once: Served) -> None:
    make_commit(served_once.repo, {"a.md": "a", "b.md": "b"})
    with make_reading(served_once, only=["b.md", "gone.md"]) as reading:
        good, gone = reading
        assert not reading.is_complete
    assert isinstance(good, RawDocument)
    assert isinstance(gone, RefusedFile)
    assert "gone" in gone.error.message


def test_the_same_commit_is_not_fetched_again(served: Served) -> None:
    make_commit(served.repo, {"a.md": "a", "b.md": "b"})
    with make_reading(served) as first:
        pass
    count = len(served.requests)
    with make_reading(served, last_state=first.fetch_state, last_paths=first.listed) as second:
        assert list(second) == [UnchangedFile("a.md"), UnchangedFile("b.md")]
        assert not second.is_complete
        assert second.fetch_state == first.fetch_state
    assert len(served.requests) - count < count


def test_another_commit_or_selection_is_fetched(served_once: Served) -> None:
    make_commit(served_once.repo, {"a.md": "a"})
    with make_reading(served_once) as first:
        pass
    last: dict[str, Any] = {"last_state": first.fetch_state, "last_paths": ["a.md"]}
    assert read(served_once, choice=FileChoice(["*.md"]), **last) == {"a.md": b"a"}
    assert read(served_once, only=["a.md"], **last) == {"a.md": b"a"}
    make_commit(served_once.repo, {"a.md": "new"})
    assert read(served_once, **last) == {"a.md": b"new"}


def test_it_stops_when_told_to(served_once: Served) -> None:
    make_commit(served_once.repo, {"a.md": "a"})
    with make_reading(served_once, should_stop=lambda: True) as reading:
        assert list(reading) == []
        assert not reading.is_complete
    assert served_once.requests == []


# What cannot be read as a whole


def test_a_missing_branch_is_told_with_what_there_is(served: Served) -> None:
    make_commit(served.repo, {"a.md": ""})
    make_commit(served.repo, {"a.md": ""}, branch="release")
    error = get_error(served, GitOptions(branch="relaese"))
    assert isinstance(error, InvalidParameter)
    assert error.message == "The repository has no branch or tag “relaese”. It has: release."


def test_a_missing_folder_is_told(served_once: Served) -> None:
    make_commit(served_once.repo, {"docs/a.md": ""})
    for folder in ("doc", "docs/a.md", "docs/a.md/b"):
        error = get_error(served_once, GitOptions(folder=folder))
        assert isinstance(error, InvalidParameter)
        assert f"no folder “{folder}”" in error.message


def test_an_empty_repository_is_told(served: Served) -> None:
    assert "no default branch" in get_error(served).message


@pytest.mark.parametrize(
    ("status", "token", "words"),
    [
        ("401 Unauthorized", "", "give the source a token"),
        ("403 Forbidden", "", "give the source a token"),
        ("401 Unauthorized", "s3cret", "refuses the token"),
        ("404 Not Found", "", "no such repository"),
        ("503 Service Unavailable", "", "answers 503"),
    ],
)
def test_a_refusal_of_the_server_says_what_to_do(served_once: Served, status: str, token: str, words: str) -> None:
    served_once.answers["/docs.git/info/refs"] = (status, {}, b"")
    error = get_error(served_once, token=token)
    assert isinstance(error, FetchError)
    assert words in error.message


@pytest.mark.parametrize(
    ("headers", "body", "words"),
    [
        ({"Content-Type": "text/html"}, b"<html>", "no Git repository at this address"),
        ({"Content-Type": "application/x-git-upload-pack-advertisement"}, b"<html>", "did not answer as a Git server"),
        ({"Content-Type": "application/x-git-upload-pack-advertisement"}, b"", "did not answer as a Git server"),
        (
            {"Content-Type": "application/x-git-upload-pack-advertisement", "Content-Encoding": "gzip"},
            b"",
            "not asked for",
        ),
    ],
)
def test_what_is_no_git_is_told(served_once: Served, headers: dict[str, str], body: bytes, words: str) -> None:
    served_once.answers["/docs.git/info/refs"] = ("200 OK", headers, body)
    error = get_error(served_once)
    assert isinstance(error, FetchError)
    assert words in error.message


def test_a_server_that_is_not_there_is_told(tmp_path: Path) -> None:
    with serve(tmp_path) as gone:
        pass
    assert "cannot be reached" in get_error(gone).message


def test_a_repository_over_the_limit_is_left_where_it_passes_it(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_commit(served.repo, {"a.md": random.Random(0).randbytes(100_000)})
    monkeypatch.setattr(git_requests, "MAX_PACK_BYTES", 10_000)
    error = get_error(served)
    assert isinstance(error, FileTooLarge)
    assert "10,000 bytes" in error.message


def test_a_repository_of_too_many_files_is_refused(served_once: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    make_commit(served_once.repo, {f"{number}/{number}.md": "same" for number in range(10)})
    monkeypatch.setattr(tree, "MAX_ENTRIES", 19)
    assert "Name a folder" in get_error(served_once).message


def test_too_many_files_are_refused_before_they_wait(served_once: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    """Folders in folders of very many files each, of which only the first is looked into."""
    make_commit(served_once.repo, {f"{'a/' * depth}b{number}.md": "" for depth in range(5) for number in range(10)})
    monkeypatch.setattr(tree, "MAX_ENTRIES", 25)
    asked = watch_trees(monkeypatch)
    assert "Name a folder" in get_error(served_once).message
    assert len(asked) == 4  # the root is asked for twice


def test_folders_in_folders_without_end_are_left(served_once: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    make_commit(served_once.repo, {"a.md": "", f"{'b/' * 900}c.md": ""})
    asked = watch_trees(monkeypatch)
    (path,), (reason,) = zip(*get_refused(served_once).items(), strict=True)
    assert path.startswith("b/b/")
    assert "1,000 characters" in reason
    assert len(asked) < 510


def watch_trees(monkeypatch: pytest.MonkeyPatch) -> list[ObjectID]:
    """The trees that are read from now on."""
    asked: list[ObjectID] = []
    get_tree = GitPack.get_tree

    def get_and_note(self: GitPack, name: ObjectID) -> Any:
        asked.append(name)
        return get_tree(self, name)

    monkeypatch.setattr(GitPack, "get_tree", get_and_note)
    return asked


def test_names_without_end_are_refused(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    commit = make_commit(served.repo, {"a.md": random.Random(0).randbytes(500_000)})
    monkeypatch.setattr(git_requests, "MAX_OTHER_BYTES", 200_000)
    assert read(served)
    for number in range(1_000):
        served.repo.refs[Ref(b"refs/heads/" + b"name" * 50 + b"%d" % number)] = ObjectID(commit.encode())
    error = get_error(served, GitOptions(branch="main"))
    assert isinstance(error, FileTooLarge)
    assert "branches and tags" in error.message


# Where requests go


@pytest.mark.parametrize(
    "url",
    ["http://127.0.0.1/docs.git", "ftp://example.org/docs.git", "git@example.org:docs.git", "file:///etc", "https://"],
)
def test_only_https_is_taken_where_nothing_is_allowed(url: str) -> None:
    with pytest.raises(InvalidParameter):
        GitRemote(url).check_url()


@pytest.mark.parametrize("url", ["git@example.org:team/docs.git", "ssh://git@example.org/docs.git"])
def test_an_address_for_ssh_is_told_as_such(url: str) -> None:
    with pytest.raises(InvalidParameter, match=r"an address for SSH.* Give its https:// address"):
        GitRemote(url).check_url()


@pytest.mark.parametrize("url", ["/srv/manual", "~/manual", "../manual", "file:///srv/manual.git"])
def test_a_folder_is_told_as_such(url: str) -> None:
    with pytest.raises(InvalidParameter, match=r"a folder on a machine.* add a checkout of it as a directory"):
        GitRemote(url).check_url()


def test_credentials_in_the_address_are_refused() -> None:
    with pytest.raises(InvalidParameter, match="user name or password") as caught:
        GitRemote("https://user:s3cret@example.org/docs.git").check_url()
    assert "s3cret" not in caught.value.message


@pytest.mark.parametrize("allowed", ["127.0.0.1", "127.0.0.0/8", "127.0.0.1:8000"])
def test_http_is_taken_for_hosts_that_are_allowed(allowed: str) -> None:
    GitRemote("http://127.0.0.1:8000/docs.git", allowed_hosts=[allowed]).check_url()


def test_a_private_address_is_not_asked() -> None:
    with (
        pytest.raises(FetchError, match="private address"),
        GitReading(GitRemote("https://127.0.0.1/x.git"), GitOptions()),
    ):
        pass


def test_a_redirect_is_followed(served: Served) -> None:
    make_commit(served.repo, {"a.md": "a"})
    moved = Served(served.url.replace("/docs.git", "/old.git"), served.repo)
    served.redirects["/old.git/info/refs"] = "/docs.git/info/refs?service=git-upload-pack"
    assert read(moved) == {"a.md": b"a"}


@pytest.mark.parametrize(
    ("location", "words"),
    [
        ("http://169.254.169.254/info/refs?service=git-upload-pack", "without encryption"),
        ("https://169.254.169.254/info/refs?service=git-upload-pack", "private address"),
        ("/docs.git/info/refs?service=git-upload-pack", "in a circle"),
        ("https://localhost:port/docs.git", "as a Git server does"),
    ],
)
def test_a_redirect_elsewhere_is_refused(served_once: Served, location: str, words: str) -> None:
    served_once.redirects["/docs.git/info/refs"] = location
    error = get_error(served_once)
    assert isinstance(error, FetchError)
    assert words in error.message


@pytest.mark.parametrize(("token", "credentials"), [("s3cret", "x-access-token:s3cret"), ("me:s3cret", "me:s3cret")])
def test_a_token_opens_a_private_repository(served: Served, token: str, credentials: str) -> None:
    make_commit(served.repo, {"a.md": "a"})
    served.token = f"Basic {b64encode(credentials.encode()).decode()}"
    assert read(served, token=token) == {"a.md": b"a"}
    assert "refuses the token" in get_error(served, token="wrong").message


def test_a_token_goes_to_its_own_server_only(tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    with serve(tmp_path) as served, serve(tmp_path / "other") as other:
        make_commit(other.repo, {"a.md": "a"})
        served.redirects["/docs.git/info/refs"] = f"{other.url}/info/refs?service=git-upload-pack"
        assert read(served, token="s3cret") == {"a.md": b"a"}
        assert "AUTHORIZATION" in served.requests[0][2]
        assert all("AUTHORIZATION" not in headers for _, _, headers in other.requests)


def test_a_token_is_in_no_url_error_or_description(served_once: Served) -> None:
    remote = GitRemote(served_once.url, "s3cret", LOOPBACK)
    assert "s3cret" not in repr(remote)
    with pytest.raises(DocsError) as caught, GitReading(remote, GitOptions(branch="none")):
        pass
    assert "s3cret" not in f"{caught.value!r}{caught.value.__cause__!r}"
    assert all("s3cret" not in path for _, path, _ in served_once.requests)


# Packs that are not what a server should send


def make_pack(*objects: tuple[int, bytes]) -> bytes:
    """A pack of (type, content) as they are; a delta's content begins with what comes before the compressed part."""
    body = b"PACK" + (2).to_bytes(4) + len(objects).to_bytes(4)
    for kind, content in objects:
        reference, content = (content[:20], content[20:]) if kind == 7 else (b"", content)
        body += make_header(kind, len(content)) + reference + zlib.compress(content)
    return body + hashlib.sha1(body).digest()  # noqa: S324


def make_header(kind: int, size: int) -> bytes:
    header = bytearray([kind << 4 | size & 15])
    size >>= 4
    while size:
        header[-1] |= 0x80
        header.append(size & 0x7F)
        size >>= 7
    return bytes(header)


def open_pack(content: bytes) -> None:
    with TemporaryFile() as file:
        file.write(content)
        file.flush()
        with GitPack(file, lambda: None):
            pass


def test_a_file_that_unpacks_to_too_much_is_refused_before_it_is_unpacked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pack, "PackData", None)  # which would hold it in memory
    with pytest.raises(FileTooLarge, match="a file"):
        open_pack(make_pack((3, bytes(pack.MAX_OBJECT_BYTES + 1))))


def test_a_delta_that_makes_too_much_is_refused_before_it_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pack, "PackData", None)
    delta = b"\x05" + b"\xff\xff\xff\xff\x0f" + b"\x90\x05"  # from 5 bytes to 4 GB
    with pytest.raises(FileTooLarge, match="a file"):
        open_pack(make_pack((3, b"12345"), (7, hashlib.sha1(b"").digest() + delta)))  # noqa: S324


def test_files_that_together_unpack_to_too_much_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pack, "MAX_UNPACKED_BYTES", 1000)
    with pytest.raises(FileTooLarge, match="together"):
        open_pack(make_pack((3, bytes(501)), (3, bytes(500))))
    open_pack(make_pack((3, bytes(500)), (3, bytes(499))))


def test_too_many_objects_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pack, "MAX_OBJECTS", 1)
    with pytest.raises(FileTooLarge, match="more than 1 files"):
        open_pack(make_pack((3, b"a"), (3, b"b")))


def make_chain(kind: int, *, count: int) -> bytes:
    """A pack of an object and deltas, each of the one before: of its name (kind 7), or of what is so many bytes before (kind 6)."""
    body = b"PACK" + (2).to_bytes(4) + (count + 1).to_bytes(4)
    content = (0).to_bytes(2)
    packed = make_header(3, 2) + zlib.compress(content)
    for number in range(1, count + 1):
        body += packed
        base = hashlib.sha1(b"blob 2\0" + content).digest() if kind == 7 else bytes([len(packed)])  # noqa: S324
        content = number.to_bytes(2)
        delta = b"\x02\x02\x02" + content  # from 2 bytes to these 2
        packed = make_header(kind, len(delta)) + base + zlib.compress(delta)
    body += packed
    return body + hashlib.sha1(body).digest()  # noqa: S324


@pytest.mark.parametrize("kind", [6, 7])
def test_a_chain_of_too_many_deltas_is_refused(monkeypatch: pytest.MonkeyPatch, kind: int) -> None:
    monkeypatch.setattr(pack, "MAX_CHAIN_DELTAS", 50)
    open_pack(make_chain(kind, count=50))
    with pytest.raises(FileTooLarge, match="--depth=50"):
        open_pack(make_chain(kind, count=51))


@pytest.mark.parametrize("kind", [6, 7])
def test_so_are_chains_of_which_too_much_is_made(monkeypatch: pytest.MonkeyPatch, kind: int) -> None:
    deltas_read = 1 + 2 + 3 + 4
    monkeypatch.setattr(pack, "MAX_CHAINED_BYTES", deltas_read * len(b"\x02\x02\x02--"))
    open_pack(make_chain(kind, count=4))
    with pytest.raises(FileTooLarge, match="--depth=50"):
        open_pack(make_chain(kind, count=5))


def test_a_distance_of_several_bytes_is_read_as_git_writes_it() -> None:
    for written, distance in (
        (b"\x7f", 127),
        (b"\x80\x00", 128),
        (b"\x80\x7f", 255),
        (b"\x81\x00", 256),
        (b"\x80\x80\x00", 16_512),
    ):
        assert pack._read_distance(written, 0) == (distance, len(written))


def test_an_object_longer_than_it_says_is_refused() -> None:
    body = b"PACK" + (2).to_bytes(4) + (1).to_bytes(4) + make_header(3, 5) + zlib.compress(bytes(10_000_000))
    with pytest.raises(FetchError, match="broken"):
        open_pack(body + hashlib.sha1(body).digest())  # noqa: S324


@pytest.fixture(scope="module")
def good_pack(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, bytes]:
    with serve(tmp_path_factory.mktemp("pack")) as served:
        files = {f"docs/{number}.md": "word " * 200 + str(number) for number in range(5)}
        commit = make_commit(served.repo, {**files, "link.md": (LINK, b"docs/1.md")})
        content = BytesIO()
        remote = GitRemote(served.url, allowed_hosts=LOOPBACK)
        remote.fetch_commit("", content, max_blob_bytes=10_000, check=lambda: None)
        return commit, content.getvalue()


@settings(max_examples=200)
@given(st.integers(0, 2**32), st.integers(0, 8))
def test_a_broken_pack_is_refused_and_never_an_error_of_a_library(
    good_pack: tuple[str, bytes], seed: int, count: int
) -> None:
    commit, content = good_pack[0], bytearray(good_pack[1])
    chance = random.Random(seed)
    for _ in range(count):
        content[chance.randrange(len(content))] = chance.randrange(256)
    body = bytes(content[:-20])
    with TemporaryFile() as file:
        file.write(body + hashlib.sha1(body).digest())  # noqa: S324
        file.flush()
        try:
            with GitPack(file, lambda: None) as opened:
                root = opened.get_root(ObjectID(commit.encode()))
                files = tree.GitTree(opened, root, "", Selection(), lambda: None).iter_files()
                contents = [opened.find_blob(each.blob) for each in files if isinstance(each, tree.GitFile)]
                assert count or len(contents) == 6
        except IngestError:
            assert count


# Names and addresses


@pytest.mark.parametrize(
    ("repository", "ref", "url"),
    [
        ("https://github.com/o/r.git", "refs/heads/main", "https://github.com/o/r/blob/main/docs/a%20b.md"),
        ("https://github.com/o/r/", "refs/heads/release/2", "https://github.com/o/r/blob/release/2/docs/a%20b.md"),
        ("https://gitlab.example.org/o/r", "refs/heads/main", "https://gitlab.example.org/o/r/-/blob/main/docs/a%20b.md"),
        ("https://bitbucket.org/o/r", "refs/heads/main", "https://bitbucket.org/o/r/src/main/docs/a%20b.md"),
        ("https://codeberg.org/o/r", "refs/heads/main", "https://codeberg.org/o/r/src/branch/main/docs/a%20b.md"),
        ("https://gitea.example.org/o/r", "refs/tags/v1", "https://gitea.example.org/o/r/src/tag/v1/docs/a%20b.md"),
        ("https://git.example.org/r.git", "refs/heads/main", "https://git.example.org/r.git"),
    ],
)  # fmt: skip
def test_a_file_has_the_address_that_its_forge_shows_it_at(repository: str, ref: str, url: str) -> None:
    assert make_file_url(repository, ref, "docs/a b.md") == url


def test_documents_carry_their_address_from_the_root_of_the_repository(
    served_once: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_commit(served_once.repo, {"docs/a.md": ""})
    monkeypatch.setattr("collections_app.sources.git.make_file_url", lambda *arguments: "|".join(arguments[1:]))
    with make_reading(served_once, GitOptions(folder="docs")) as reading:
        (file,) = reading
    assert isinstance(file, RawDocument)
    assert file.source_url == "refs/heads/main|docs/a.md"


@pytest.mark.parametrize("options", [{"branch": "a b"}, {"branch": "a\n"}, {"folder": "../x"}, {"depth": 3}])
def test_options_that_make_no_sense_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        GitOptions(**options)


def test_pages_of_a_repository_know_what_others_are_called(served: Served) -> None:
    files: dict[str, Content] = {
        "docs/guide/page.rst": "See :ref:`sails`.\n",
        "docs/sails.rst": ".. _sails:\n\nAll sails\n=========\n",
    }
    make_commit(served.repo, files)
    content = read(served, GitOptions(folder="docs"))["guide/page.rst"]
    assert parse(RawDocument("guide/page.rst", content)).content == "See [All sails](../sails.rst#sails).\n"


def test_names_of_pages_count_from_the_folder_of_a_repository_if_the_configuration_is_above(served: Served) -> None:
    files: dict[str, Content] = {
        "docs/guide/deep/page.rst": "See :doc:`/sails`.\n",
        "docs/guide/deep/sails.rst": "Trimming\n========\n",
        "docs/guide/sails.rst": "Sails\n=====\n",
        "docs/conf.py": "extensions = []\n",
    }
    make_commit(served.repo, files)
    content = read(served, GitOptions(folder="docs/guide"))["deep/page.rst"]
    assert parse(RawDocument("deep/page.rst", content)).content == "See [Sails](../sails.rst).\n"


def test_the_configuration_above_the_folder_of_a_repository_makes_labels_of_headings(served: Served) -> None:
    files: dict[str, Content] = {
        "docs/guide/page.rst": "See :ref:`of linen`.\n",
        "docs/guide/sails.rst": "Sails\n=====\n\nOf linen\n--------\n",
        "docs/conf.py": "extensions = ['sphinx.ext.autosectionlabel']\n",
    }
    make_commit(served.repo, files)
    content = read(served, GitOptions(folder="docs/guide"))["page.rst"]
    assert parse(RawDocument("page.rst", content)).content == "See [Of linen](sails.rst#of-linen).\n"
