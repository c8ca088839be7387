"""Patterns mean what they mean in .gitignore."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collections_app.exceptions import InvalidParameter
from collections_app.sources.globs import compile_globs


def matches(pattern: str, path: str) -> bool:
    return compile_globs([pattern]).fullmatch(path) is not None


@pytest.mark.parametrize(
    ("pattern", "matching", "others"),
    [
        ("*.md", ["a.md", "x/y/a.md", ".md", "x.md/a.txt"], ["a.mdx", "a.md.txt", "amd"]),
        ("**/*.md", ["a.md", "x/y/a.md"], ["a.txt"]),
        ("**", ["a", "x/y/z"], []),
        ("docs/**", ["docs/a", "docs/x/y"], ["docs", "x/docs/a", "docsa/b"]),
        ("/docs/**", ["docs/a"], ["x/docs/a"]),
        ("docs/*", ["docs/a", "docs/x/y"], ["docs", "x/docs/a"]),
        ("docs/*.md", ["docs/a.md"], ["docs/x/a.md", "x/docs/a.md"]),
        ("./docs/*.md", ["docs/a.md"], ["docs/x/a.md"]),
        ("docs/**/a.md", ["docs/a.md", "docs/x/y/a.md"], ["a.md", "docs/xa.md", "docs/x/ba.md"]),
        ("**/docs/**", ["docs/a", "x/docs/a", "x/y/docs/z/a"], ["docs", "xdocs/a"]),
        ("a/**/b/**/c", ["a/b/c", "a/x/b/y/z/c", "a/b/b/c", "a/b/x/b/c"], ["a/c/b", "a/bc", "b/a/c"]),
        ("a/**/b/c/**/d", ["a/b/c/d", "a/b/x/b/c/d"], ["a/b/x/c/d"]),
        (
            "node_modules",
            ["node_modules", "node_modules/a", "x/node_modules/y/a"],
            ["node_modules2", "my_node_modules"],
        ),
        ("build/", ["build/a", "x/build/y/a"], ["build", "x/build"]),
        ("/a.md", ["a.md"], ["x/a.md"]),
        ("?.md", ["a.md", "x/é.md"], ["ab.md", ".md", "x/.md"]),
        ("a?b", ["axb"], ["a/b", "ab"]),
        ("[a-c].md", ["b.md", "x/c.md"], ["d.md", "-.md"]),
        ("[!a-c].md", ["d.md"], ["a.md", "x/.md"]),
        ("a[!x]b", ["ayb"], ["a/b", "axb"]),
        ("[^a].md", ["b.md"], ["a.md"]),
        ("[]a].md", ["].md", "a.md"], ["b.md"]),
        ("[a-].md", ["-.md", "a.md"], ["b.md"]),
        ("[&&~|[].md", ["&.md", "[.md", "|.md"], ["a.md"]),
        ("[.md", ["[.md"], ["a.md"]),
        ("[]", ["[]"], ["a"]),
        ("\\*.md", ["*.md"], ["a.md"]),
        ("\\[a].md", ["[a].md"], ["a.md"]),
        ("a**b", ["ab", "axxb"], ["a/b"]),
        ("*a*b*a", ["aba", "xaxbxa", "ababa"], ["ab", "abax"]),
        ("*ab", ["ab", "aab", "abab"], ["aba"]),
        ("*a?b*", ["axb", "aaxb", "aabb"], ["ab"]),
        ("a.b+(c)|d", ["a.b+(c)|d"], ["axb+(c)|d", "d"]),
        (" *.md ", ["a.md"], ["a.md "]),
        ("café/*", ["café/a"], ["cafe/a"]),
        ("x\ny", ["x\ny"], ["xy"]),
        ("*.MD", ["a.MD"], ["a.md"]),
    ],
)
def test_a_pattern_matches(pattern: str, matching: list[str], others: list[str]) -> None:
    assert [path for path in matching + others if matches(pattern, path)] == matching


@pytest.mark.parametrize(
    ("pattern", "excludes"),
    [
        ("build", True),
        ("build/", True),
        ("build/**", True),
        ("/build", True),
        ("build/*.md", False),
        ("x/build", False),
        ("*.md", False),
    ],
)
def test_a_directory_matches_when_everything_in_it_does(pattern: str, excludes: bool) -> None:
    assert matches(pattern, "build/") == excludes


def test_one_of_several_patterns_is_enough() -> None:
    globs = compile_globs(["*.md", "docs/*.txt"])
    assert [path for path in ("a.md", "docs/a.txt", "a.txt") if globs.fullmatch(path)] == ["a.md", "docs/a.txt"]


def test_no_pattern_matches_nothing() -> None:
    assert not compile_globs([]).fullmatch("")


@pytest.mark.parametrize("pattern", ["", "  ", "/", "./", "!a.md", "../a.md", "a/../b", "*.{md,mdx}", "[z-a]"])
def test_a_pattern_that_cannot_be_meant_is_refused(pattern: str) -> None:
    with pytest.raises(InvalidParameter):
        compile_globs([pattern])


@given(st.lists(st.text(alphabet="ab/*?.[]!^-\\", min_size=1), max_size=3), st.text(alphabet="ab/."))
def test_any_pattern_is_understood_or_refused(patterns: list[str], path: str) -> None:
    try:
        compile_globs(patterns).fullmatch(path)
    except InvalidParameter:
        return


def match_by_backtracking(pattern: str, path: str) -> bool:
    """What `a*b/**/c` means, without regard to time: each part tried everywhere."""
    expression = re.escape(pattern).replace(r"\*\*/", "(?:[^/]+/)*").replace(r"\*", "[^/]*")
    return re.fullmatch(f"{expression}(?:/.*)?", path) is not None


SEGMENTS = st.text(alphabet="ab*", min_size=1, max_size=5).map(lambda text: re.sub(r"\*+", "*", text))
PATTERNS = st.tuples(st.lists(st.one_of(SEGMENTS, st.just("**")), min_size=1, max_size=5), SEGMENTS)
PATHS = st.lists(st.text(alphabet="ab", min_size=1, max_size=5), min_size=1, max_size=5).map("/".join)


@given(PATTERNS.map(lambda parts: "/".join([*parts[0], parts[1]])), PATHS)
def test_taking_the_leftmost_match_loses_none(pattern: str, path: str) -> None:
    assert matches(pattern, path) == match_by_backtracking(pattern, path)


@pytest.mark.parametrize("pattern", ["*a" * 60 + "c", "**/a/" * 60 + "c", "**/*a*a/" * 30 + "c"])
def test_no_pattern_takes_exponential_time(pattern: str) -> None:
    assert not matches(pattern, "a" * 250)
    assert not matches(pattern, "a/" * 250 + "b")
