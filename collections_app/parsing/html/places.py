"""Links within a page: finds the section that each target is in, and writes a link to that section. If there is none, the link becomes its
words.

The target of a link may come later in the page, so links are only marked at first, and written when the rest of the page is.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from functools import partial
from urllib.parse import unquote

from collections_app.parsing.html.links import quote_address
from collections_app.parsing.html.paragraph import LINE_BREAK

_BEGIN, _MIDDLE, _END = "\ud800", "\ud801", "\ud802"  # surrogates, which no page contains
_MARK = re.compile(f"{_BEGIN}\\d+{_MIDDLE}")
_MARKED = re.compile(f"{_BEGIN}(\\d+){_MIDDLE}([^{_BEGIN}-{_END}]*){_END}")
_TORN = re.compile(f"{_BEGIN}\\d+{_MIDDLE}|[{_BEGIN}-{_END}]")
_NUMBER_OF_PART = re.compile(r"\d\.\d")


class Places:
    """The targets and the marked links of one page."""

    def __init__(self) -> None:
        self._lines: dict[str, int] = {}
        self._fragments: list[str] = []

    def add(self, id: str, line: int) -> None:
        """Add a target; the first with an id keeps it. `line` is the line of the current or the next block."""
        self._lines.setdefault(id, line)

    def mark(self, words: str, fragment: str) -> str:
        """Mark these words as a link until write_links() is called."""
        if _is_sign(words):
            return words
        self._fragments.append(fragment)
        return f"{_BEGIN}{len(self._fragments) - 1}{_MIDDLE}{words.replace(LINE_BREAK, ' ')}{_END}"

    def write_links(self, lines: list[str], headings: Sequence[int], anchors: Mapping[int, str]) -> None:
        """Write the marked links in these lines of Markdown. `headings` are the lines of headings that make sections, `anchors` as in
        MarkdownWriter.
        """
        if not self._fragments:
            return
        sections = _Sections(lines, headings, anchors)
        places = self._lines | {anchor: line for line, anchor in reversed(list(anchors.items()))}
        for number, line in enumerate(lines):
            if _BEGIN in line:
                written = _MARKED.sub(partial(self._write, sections, places, number), line)
                lines[number] = drop_marks(written)

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
        """A link to the section of the line `place`. Only the words if that is the section of the line `here` or the whole page, or if they
        already are the name to search for.
        """
        target = self._find(place)
        anchor = "" if target in (self._title, self._find(here)) else self._anchors.get(target, "")
        if not anchor or _is_name(words, anchor):
            return words
        address = quote_address(anchor).replace("|", "%7C")  # the link may be in a table cell
        return f"[{words}](#{address})"

    def _find(self, line: int) -> int:
        """The line of the heading above; -1 if there is none."""
        above = bisect_right(self._headings, line)
        return self._headings[above - 1] if above else -1


def _is_sign(words: str) -> bool:
    """Whether it is an arrow, the number of a note, or in brackets like a citation."""
    is_bracketed = words.startswith("[") and words.endswith("]")
    return is_bracketed or not (any(map(str.isalpha, words)) or _NUMBER_OF_PART.search(words))


def _is_name(words: str, anchor: str) -> bool:
    """Whether the words are the name of a function, class or option, such as ``get()`` for `requests.get`. Reference pages are full of
    them.
    """
    plain = words.strip("*")
    name = plain.strip("`@-").removesuffix("()")
    is_dotted = "." in name and any(map(str.isalpha, name))
    ends = name if name != plain or is_dotted else (f".{name}", f":{name}", f"#{name}")
    return " " not in name and anchor.endswith(ends)


def drop_marks(line: str) -> str:
    """The line without marks of links."""
    return _TORN.sub("", line)


def split_mark(line: str) -> tuple[str, str]:
    """The mark of a link at the beginning of a line (usually none), and the rest of the line."""
    mark = _MARK.match(line)
    return (mark[0], line[mark.end() :]) if mark else ("", line)
