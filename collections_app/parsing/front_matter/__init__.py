"""Front matter: YAML between `---` lines or TOML between `+++` lines at the very start of a file.

A first line `---` is a thematic break, not front matter, if no line `---` or `...` closes it, or if a blank line follows and what comes
between is no YAML mapping; the same holds for `+++`. Blank lines before front matter, which no generator allows, are accepted if it has a
title: then an author has overlooked them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

from collections_app.exceptions import ParseError
from collections_app.parsing.front_matter.block import MAX_FRONT_MATTER_CHARACTERS, Block, open_list
from collections_app.parsing.front_matter.toml_block import read_toml
from collections_app.parsing.front_matter.yaml_block import read_yaml
from collections_app.parsing.headings.text import clean_title

__all__ = [
    "MAX_FRONT_MATTER_CHARACTERS",
    "FrontMatter",
    "find_menu_title",
    "find_redirect",
    "has_front_matter",
    "is_elsewhere",
    "split_front_matter",
]


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """`line_count` is the number of lines that it takes in the file, including the delimiters; 0 if there is none."""

    title: str = ""
    description: str = ""
    keywords: tuple[str, ...] = ()
    category: str = ""
    metadata: Mapping[str, Any] = field(default_factory=dict)
    line_count: int = 0
    warnings: tuple[str, ...] = ()

    @property
    def redirect(self) -> str:
        """The page's redirect target. Empty if it is on another site: then nothing else says what the page is about."""
        target = find_redirect(self.metadata)
        return "" if is_elsewhere(target) else target


@dataclass(frozen=True, slots=True)
class _Fence:
    opening: re.Pattern[str]
    closing: re.Pattern[str]
    read: Callable[[str], Block]


# Keys of jekyll-redirect-from and DocFX, and similar ones.
_REDIRECT_KEYS = frozenset({"redirect", "redirect_to", "redirect_url", "redirectto"})
_IS_ELSEWHERE = re.compile(r"\s*(?:[a-zA-Z][a-zA-Z0-9+.-]*:|//)")
_MAX_ADDRESS = 1000
# Other names of site generators for a description.
_SUMMARIES = (
    *("summary", "intro", "desc", "excerpt", "abstract"),
    *("metadescription", "meta_description", "short-description"),
)
# What a page is called in a menu, or in a browser's tab.
_TITLES = ("linktitle", "sidebar_label", "sidebartitle", "nav_title", "metatitle", "meta_title")
_SIGNS = ("---", "+++")
_STARTS = tuple(f"{mark}{sign}".encode() for mark in ("", "\ufeff") for sign in _SIGNS)
# A byte order mark after another one, or a blank line.
_BLANK = re.compile(r"(?:\ufeff|[ \t]*+\n)+")
_FENCES = (
    _Fence(re.compile(r"---[ \t]*\n"), re.compile(r"^(?:---|\.\.\.)[ \t]*$", re.MULTILINE), read_yaml),
    _Fence(re.compile(r"\+\+\+[ \t]*\n"), re.compile(r"^\+\+\+[ \t]*$", re.MULTILINE), read_toml),
)


def split_front_matter(text: str) -> tuple[FrontMatter, str]:
    """The front matter of a file and the text after it.

    Raises ParseError, with the line in the file, for broken YAML or TOML, YAML that is no mapping, aliases, deep nesting, and
    more than MAX_FRONT_MATTER_CHARACTERS.
    """
    for fence in _FENCES:
        if opening := fence.opening.match(text):
            return _split(text, opening.end(), fence)
    return _split_behind_blanks(text)


def has_front_matter(content: bytes) -> bool:
    """Whether a file may begin with front matter although its format has none."""
    return content.startswith(_STARTS)


def find_redirect(metadata: Mapping[str, Any]) -> str:
    """The target to which front matter redirects readers, the first of several, on this or on another site; empty if it does not."""
    for key, value in metadata.items():
        if key.lower().replace("-", "_") in _REDIRECT_KEYS:
            first = value[0] if isinstance(value, list | tuple) and value else value
            return first.strip()[:_MAX_ADDRESS] if isinstance(first, str) else ""
    return ""


def is_elsewhere(address: str) -> bool:
    """Whether the address names a site, even the page's own."""
    return _IS_ELSEWHERE.match(address) is not None


def _split_behind_blanks(text: str) -> tuple[FrontMatter, str]:
    """Only front matter with a title counts, as anything may be between two thematic breaks."""
    blank = _BLANK.match(text)
    if not blank or not text.startswith(_SIGNS, blank.end()):
        return FrontMatter(), text
    try:
        front_matter, body = split_front_matter(text[blank.end() :])
    except ParseError:
        return FrontMatter(), text
    if not front_matter.title:
        return FrontMatter(), text
    return replace(front_matter, line_count=front_matter.line_count + blank[0].count("\n")), body


def _split(text: str, start: int, fence: _Fence) -> tuple[FrontMatter, str]:
    closing = fence.closing.search(text, start)
    if closing is None:
        return FrontMatter(), text
    block = text[start : closing.start()]
    try:
        front_matter = _read(block, fence.read)
    except ParseError:
        if block.split("\n", 1)[0].strip() == "":
            return FrontMatter(), text
        raise
    return front_matter, text[closing.end() + 1 :]


# A page's front matter is read at each of the steps before its text is parsed.
@lru_cache(maxsize=16)
def _read(block: str, read: Callable[[str], Block]) -> FrontMatter:
    return _make_front_matter(read(block), block.count("\n") + 2)


def _make_front_matter(block: Block, line_count: int) -> FrontMatter:
    fields = {key: open_list(value) for key, value in block.fields.items() if key != "keywords"}
    texts = {key: value for key, value in fields.items() if isinstance(value, str)}
    return FrontMatter(
        title=clean_title(texts.get("title", "")),
        description=texts.get("description") or _find_summary(block.metadata),
        keywords=_read_keywords(block.fields.get("keywords")) or _read_keywords(_find_named(block.metadata, "tags")),
        category=texts.get("category", ""),
        metadata=block.metadata,
        line_count=line_count,
        warnings=tuple(f"front matter: the {key} is not text; it was left out" for key in fields if key not in texts),
    )


def find_menu_title(metadata: Mapping[str, Any]) -> str:
    """What a page that has no title is called elsewhere; empty if nothing says so."""
    titles = (value for name in _TITLES if isinstance(value := _find_named(metadata, name), str))
    return next(filter(None, map(clean_title, titles)), "")


def _find_summary(metadata: Mapping[str, Any]) -> str:
    """A description under another name, which also stays in the metadata."""
    texts = (value for name in _SUMMARIES if isinstance(value := _find_named(metadata, name), str))
    return next((" ".join(text.split()) for text in texts if text.strip()), "")


def _find_named(metadata: Mapping[str, Any], name: str) -> Any:
    return next((value for key, value in metadata.items() if key.lower() == name), None)


def _read_keywords(value: Any) -> tuple[str, ...]:
    """Keywords without repetitions, from a list of texts, or from a text with commas."""
    words = value.split(",") if isinstance(value, str) else value if isinstance(value, list | tuple) else ()
    return tuple(dict.fromkeys(word.strip() for word in words if isinstance(word, str) and word.strip()))
