"""Which pages are of an older version of another, by the folders that they are in."""

from __future__ import annotations

import pytest

from collections_app.naming.version_folders import count_outdated, describe_outdated, find_outdated, read_version


@pytest.mark.parametrize(
    ("path", "version"),
    [
        ("docs/guide/install.md", "latest"),
        ("guide/install.md", "latest"),
        ("latest/guide/install.md", "latest"),
        ("v1.13-docs/guide/install.md", "1.13"),
        ("docs/v2/guide/install.md", "2"),
        ("docs/V2/guide/install.md", "2"),
        ("2.x/guide/install.md", "2.x"),
        ("docs/27.1/guide/install.md", "27.1"),
        ("versioned_docs/version-3.1.0/guide/install.md", "3.1.0"),
        ("versioned_docs/version-v7/guide/install.md", "7"),
        ("versioned_docs_archived/version-6.x/guide/install.md", "6.x"),
        ("docs/versions/v2.1/guide/install.md", "2.1"),
        ("archive/1.8/guide/install.md", "1.8"),
        ("release-1.4/guide/install.md", "1.4"),
        ("release_v1.4/guide/install.md", "1.4"),
        ("3.0-beta/guide/install.md", "3.0-beta"),
        ("2.0.0-rc.1/guide/install.md", "2.0.0-rc.1"),
    ],
)
def test_a_folder_tells_the_version_of_the_same_page(path: str, version: str) -> None:
    assert read_version(path) == (("guide", "install.md"), version)


@pytest.mark.parametrize(
    "path",
    [
        "2021/install.md",
        "chapters/3/install.md",
        "guide/v1.md",
        "vue/install.md",
        "1.guide/install.md",
        "1.2/readme.md",
        "archive/install.md",
        "old/guide/install.md",
    ],
)
def test_other_numbers_tell_no_version(path: str) -> None:
    assert read_version(path) == (tuple(path.split("/")), "latest")


PATHS = {
    1: "docs/install.md",
    2: "v1.9-docs/install.md",
    3: "v1.10-docs/install.md",
    4: "v1.9-docs/removed.md",
    5: "docs/other.md",
    6: "guide/v1.9/tune.md",
    7: "guide/v1.10/tune.md",
}


def test_of_each_page_all_but_the_newest_are_outdated() -> None:
    assert find_outdated(PATHS, "how to install") == {2, 3, 6}
    assert find_outdated({1: "docs/install.md", 2: "versioned_docs/version-v7/install.md"}, "how to install") == {2}


@pytest.mark.parametrize(
    ("question", "outdated"),
    [
        ("install in 1.9", {1, 3, 7}),
        ("install on v1.9", {1, 3, 7}),
        ("migrate from version 1.9 to 1.10", {1, 2, 6}),
        ("install 1 of 9", {2, 3, 6}),
        ("install 2.0", {2, 3, 6}),
        ("install 1.9.3", {1, 3, 7}),
        ("install, sleep 0.5 seconds, then retry 9 times", {2, 3, 6}),
    ],
)
def test_the_version_that_a_question_names_is_the_one(question: str, outdated: set[int]) -> None:
    assert find_outdated(PATHS, question) == outdated


def test_a_series_is_newer_than_its_releases_and_a_release_than_what_comes_before() -> None:
    names = ["6.x", "6.0", "5.9", "6.0-rc.1"]
    paths = {name: f"versioned_docs/version-{name}/a/b.md" for name in names}
    order = []
    while paths:
        [newest] = paths.keys() - find_outdated(paths, "")
        order.append(newest)
        del paths[newest]
    assert order == ["6.x", "6.0", "6.0-rc.1", "5.9"]


def test_a_second_version_is_of_what_the_page_is_about() -> None:
    assert find_outdated({1: "2.x/oauth/1.0/a.md", 2: "2.x/oauth/2.0/a.md"}, "") == set()
    assert find_outdated({1: "1.x/oauth/1.0/a.md", 2: "2.x/oauth/1.0/a.md"}, "") == {1}


def test_what_has_no_version_is_not_outdated() -> None:
    assert find_outdated({1: "docs/install.md", 2: "install.md", 3: "a/2/install.md", 4: "a/3/install.md"}, "") == set()


def test_older_pages_are_counted_by_version_where_they_are_many() -> None:
    pages = [f"{folder}/page{number}.md" for folder in ("docs", "v1.9-docs", "v1.10-docs") for number in range(6)]
    counts = count_outdated([*pages, "v1.9-docs/page7.md", "v1.10-docs/page7.md", "v1.8-docs/only.md"])
    assert counts == {"1.9": 7, "1.10": 6}
    assert describe_outdated(counts) == (
        "13 pages are older versions of others: 1.9 (7), 1.10 (6). Searches put the newest first; "
        "an exclude pattern leaves a version out."
    )
    assert count_outdated(pages[:15]) == count_outdated([]) == {}
    assert describe_outdated({}) == ""
    assert ": 7 (1), 6 (1), 5 (1), 4 (1), 3 (1), …. S" in describe_outdated(
        dict.fromkeys("76543 2".replace(" ", ""), 1)
    )
