"""Links within a page: which section each target on the page is in, and how a link to one is written. A link to no section becomes its
words.

A link's target may come later in the page, so each link is marked where it is, and written when everything else is.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from functools import partial
from urllib.parse import unquote

from collections_app.parsing.html.links import quote_address
from collections_app.parsing.html.paragraph import LINE_BREAK

_BEGIN, _MIDDLE, _END = "\ud800", "\ud801", "\ud802"  # halves of characters: no page holds them
_MARK = re.compile(f"{_BEGIN}\\d+{_MIDDLE}")
_MARKED = re.compile(f"{_BEGIN}(\\d+){_MIDDLE}([^{_BEGIN}-{_END}]*){_END}")
_TORN = re.compile(f"{_BEGIN}\\d+{_MIDDLE}|[{_BEGIN}-{_END}]")
_NUMBER_OF_PART = re.compile(r"\d\.\d")


class Places:
    """Of one page."""

    def __init__(self) -> None:
        self._lines: dict[str, int] = {}
        self._fragments: list[str] = []

    def add(self, id: str, line: int) -> None:
        """The first that has an id keeps it. `line` is where the next block stands, or will."""
        self._lines.setdefault(id, line)

    def mark(self, words: str, fragment: str) -> str:
        """These words as a link, until write_links() is called."""
        if _is_sign(words):
            return words
        self._fragments.append(fragment)
        return f"{_BEGIN}{len(self._fragments) - 1}{_MIDDLE}{words.replace(LINE_BREAK, ' ')}{_END}"

    def write_links(self, lines: list[str], headings: Sequence[int], anchors: Mapping[int, str]) -> None:
        """Write the links that are marked in these lines of Markdown. `headings` are the lines of those that make sections, `anchors` as in
        MarkdownWriter."""
        if not self._fragments:
            return
        sections = _Sections(lines, headings, anchors)
        places = self._lines | {anchor: line for line, anchor in reversed(list(anchors.items()))}
        for number, line in enumerate(lines):
            if _BEGIN in line:
                written = _MARKED.sub(partial(self._write, sections, places, number), line)
                lines[number] = _TORN.sub("", written)

    def _write(self, sections: _Sections, places: Mapping[str, int], here: int, marked: re.Match[str]) -> str:
        fragment = self._fragments[int(marked[1])]
        place = places.get(fragment, places.get(unquote(fragment), -1))
        return sections.write(marked[2], place, here)


class _Sections:
    def __init__(self, lines: Sequence[str], headings: Sequence[int], anchors: Mapping[int, str]) -> None:
        self._headings = headings
        self._anchors = anchors
        self._title = next((line for line in headings[:1] if lines[line].startswith("# ")), -1)

    def write(self, words: str, place: int, here: int) -> str:
        """A link to the section that the line `place` is in; words where that is the one around the line `here`, or the whole page, and
        where they say by what name to ask for it."""
        target = self._find(place)
        anchor = "" if target in (self._title, self._find(here)) else self._anchors.get(target, "")
        if not anchor or _is_name(words, anchor):
            return words
        address = quote_address(anchor).replace("|", "%7C")  # it may stand in a cell
        return f"[{words}](#{address})"

    def _find(self, line: int) -> int:
        """The line of the heading that it stands under; -1 where there is none."""
        above = bisect_right(self._headings, line)
        return self._headings[above - 1] if above else -1


def _is_sign(words: str) -> bool:
    """An arrow, the number of a note, or what stands in brackets, as sources do."""
    is_bracketed = words.startswith("[") and words.endswith("]")
    return is_bracketed or not (any(map(str.isalpha, words)) or _NUMBER_OF_PART.search(words))


def _is_name(words: str, anchor: str) -> bool:
    """Whether the words are that of a function, a class or an option: ``get()`` of `requests.get`. References of code are full of them."""
    plain = words.strip("*")
    name = plain.strip("`@-").removesuffix("()")
    is_dotted = "." in name and any(map(str.isalpha, name))
    ends = name if name != plain or is_dotted else (f".{name}", f":{name}", f"#{name}")
    return " " not in name and anchor.endswith(ends)


def split_mark(line: str) -> tuple[str, str]:
    """The mark of a link that a line begins with, mostly none, and the rest of the line."""
    mark = _MARK.match(line)
    return (mark[0], line[mark.end() :]) if mark else ("", line)
