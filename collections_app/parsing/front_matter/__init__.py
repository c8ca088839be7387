"""Front matter: YAML between `---` lines or TOML between `+++` lines at the very start of a file.

A first line `---` is a line across the page, not front matter, if no line `---` or `...` closes it, or if a blank line
follows and what stands between is no YAML mapping; `+++` is text in the same way. Blank lines, which no generator allows, may stand before
what has a title: an author has overlooked them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from collections_app.exceptions import ParseError
from collections_app.parsing.front_matter.block import MAX_FRONT_MATTER_CHARACTERS, Block, open_list
from collections_app.parsing.front_matter.toml_block import read_toml
from collections_app.parsing.front_matter.yaml_block import read_yaml
from collections_app.parsing.heading_text import clean_title

__all__ = ["MAX_FRONT_MATTER_CHARACTERS", "FrontMatter", "has_front_matter", "is_elsewhere", "split_front_matter"]


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """`line_count` is the number of lines that it takes in the file, the lines around it included; 0 if there is none."""

    title: str = ""
    description: str = ""
    keywords: tuple[str, ...] = ()
    category: str = ""
    metadata: Mapping[str, Any] = field(default_factory=dict)
    line_count: int = 0
    warnings: tuple[str, ...] = ()

    @property
    def redirect(self) -> str:
        """Where the page leads, the first of several; empty where that is another site: nothing else tells what the page is about."""
        for key, value in self.metadata.items():
            if key.lower().replace("-", "_") in _REDIRECT_KEYS:
                first = value[0] if isinstance(value, list | tuple) and value else value
                return first.strip()[:_MAX_ADDRESS] if isinstance(first, str) and not is_elsewhere(first) else ""
        return ""


@dataclass(frozen=True, slots=True)
class _Fence:
    opening: re.Pattern[str]
    closing: re.Pattern[str]
    read: Callable[[str], Block]


# jekyll-redirect-from, DocFX; and what others call so.
_REDIRECT_KEYS = frozenset({"redirect", "redirect_to", "redirect_url", "redirectto"})
_IS_ELSEWHERE = re.compile(r"\s*(?:[a-zA-Z][a-zA-Z0-9+.-]*:|//)")
_MAX_ADDRESS = 1000
# What site generators call a description.
_SUMMARIES = ("summary", "intro", "desc", "excerpt", "abstract")
_SIGNS = ("---", "+++")
_STARTS = tuple(f"{mark}{sign}".encode() for mark in ("", "\ufeff") for sign in _SIGNS)
# Also a byte order mark that another one stands before, or a blank line.
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


def is_elsewhere(address: str) -> bool:
    """Whether it names its site, be it the page's own."""
    return _IS_ELSEWHERE.match(address) is not None


def _split_behind_blanks(text: str) -> tuple[FrontMatter, str]:
    """Only what has a title counts: between two lines across the page may stand anything else."""
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
        values = fence.read(block)
    except ParseError:
        if block.split("\n", 1)[0].strip() == "":
            return FrontMatter(), text
        raise
    return _make_front_matter(values, block.count("\n") + 2), text[closing.end() + 1 :]


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


def _find_summary(metadata: Mapping[str, Any]) -> str:
    """What is called otherwise, and stays in the metadata."""
    texts = (value for name in _SUMMARIES if isinstance(value := _find_named(metadata, name), str))
    return next((" ".join(text.split()) for text in texts if text.strip()), "")


def _find_named(metadata: Mapping[str, Any], name: str) -> Any:
    return next((value for key, value in metadata.items() if key.lower() == name), None)


def _read_keywords(value: Any) -> tuple[str, ...]:
    """Each once, from a list of texts, or from one text with commas."""
    words = value.split(",") if isinstance(value, str) else value if isinstance(value, list | tuple) else ()
    return tuple(dict.fromkeys(word.strip() for word in words if isinstance(word, str) and word.strip()))
