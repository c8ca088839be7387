"""What an address from elsewhere has in common with the path of a page."""

from __future__ import annotations

import pytest

from collections_app.naming.paths import count_common, is_of_host, list_parts, split_address


@pytest.mark.parametrize(
    ("address", "host", "spellings"),
    [
        (
            "https://Docs.Example.org:8080/en/How-to/fixtures.html?x=/y#z/1",
            "docs.example.org",
            [("en", "how-to", "fixtures")],
        ),
        ("https://user@example.org/docs/", "example.org", [("docs",)]),
        ("https://example.org", "example.org", [()]),
        ("http://[::1", "[", [()]),
        (
            "github.com/acme/gears/blob/main/docs/start.md",
            "github.com",
            [("acme", "gears", "blob", "main", "docs", "start")],
        ),
        ("https://github.com/acme/gears/blob/main/README.md", "github.com", [()]),
        ("next.js/start.md", "", [("next.js", "start")]),
        ("v1.x/start.md", "", [("v1.x", "start")]),
        ("./concepts/a%20b.md", "", [("concepts", "a-b")]),
        ("guide/index.html", "", [("guide",)]),
        ("guide/README.md", "", [("guide",)]),
        ("../..", "", [()]),
        ("a\0%00/b", "", [("a", "b")]),
    ],
)
def test_an_address_has_a_host_and_the_parts_of_a_page(
    address: str, host: str, spellings: list[tuple[str, ...]]
) -> None:
    found_host, found = split_address(address)
    assert found_host == host
    assert found[:1] == spellings


def test_what_looks_like_an_ending_may_be_part_of_the_name() -> None:
    assert split_address("notes/next.js") == ("", [("notes", "next"), ("notes", "next.js")])


def test_a_version_at_the_end_of_a_name_is_no_ending() -> None:
    assert split_address("notes/release-4.2") == ("", [("notes", "release-4.2")])


def test_the_last_parts_in_common_are_counted() -> None:
    asked = list_parts("en/stable/how-to/fixtures")
    pages = ("how-to/fixtures", "doc/how-to/fixtures", "fixtures", "how-to/fixture", "how-to/fixtures/index")
    assert [count_common(asked, list_parts(page)) for page in pages] == [2, 2, 1, 0, 2]


@pytest.mark.parametrize(
    ("name", "host", "is_its"),
    [
        ("rabbitmq", "www.rabbitmq.com", True),
        ("rust", "doc.rust-lang.org", True),
        ("django", "docs.djangoproject.com", True),
        ("next.js", "nextjs.org", True),
        ("next", "nextjs.org", True),
        ("java", "javascript.info", False),
        ("docs", "docs.example.org", False),
        ("com", "example.com", False),
        ("uv", "", False),
        ("", "example.org", False),
    ],
)
def test_a_host_is_called_as_a_library_is(name: str, host: str, *, is_its: bool) -> None:
    assert is_of_host(name, host) == is_its
