"""A text as its readers see it, for the rules: without what splits words invisibly, and with character references replaced."""

from __future__ import annotations

import html
import re
from bisect import bisect_right
from dataclasses import dataclass

from collections_app.parsing.safety.invisible import strip_invisible

_SOFT_HYPHEN = "\u00ad"
_INLINE_TAGS = (
    "a|abbr|b|bdi|bdo|big|cite|code|em|font|i|ins|kbd|mark|nobr|s|samp|small|span|strike|strong|sub|sup|tt|u|var|wbr"
)
_UNSEEN = re.compile(
    rf"{_SOFT_HYPHEN}|&(?:#[0-9]{{1,7}}|#x[0-9a-f]{{1,6}}|[a-z][a-z0-9]{{1,31}});|</?(?:{_INLINE_TAGS})(?:[\s/][^<>]*+)?>",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Reading:
    """What is read in a text. From each of `starts` on, it is what stands in the text from the same one of `sources` on."""

    text: str
    starts: list[int]
    sources: list[int]

    def find_source(self, offset: int) -> int:
        """Where in the text this place is."""
        piece = bisect_right(self.starts, offset) - 1
        return self.sources[piece] + offset - self.starts[piece]


def read(text: str) -> Reading | None:
    """How readers see the text; None if that is as it is written."""
    if not _UNSEEN.search(text):
        return None
    pieces: list[str] = []
    starts, sources = [0], [0]
    length = 0
    for match in _UNSEEN.finditer(text):
        seen = "" if match[0].startswith("<") else strip_invisible(html.unescape(match[0]))[0].replace(_SOFT_HYPHEN, "")
        pieces += [text[sources[-1] : match.start()], seen]
        length += match.start() - sources[-1] + len(seen)
        starts.append(length)
        sources.append(match.end())
    return Reading("".join([*pieces, text[sources[-1] :]]), starts, sources)
