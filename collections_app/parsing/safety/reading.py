"""A text as its readers see it, for the rules: without invisible word breaks, and with character references decoded."""

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
# Each begins with a sign, and is found much faster than one of several.
_CHARACTER = re.compile(r"&(?:#[0-9]{1,7}|#x[0-9a-f]{1,6}|[a-z][a-z0-9]{1,31});", re.IGNORECASE)
_TAG = re.compile(rf"</?(?:{_INLINE_TAGS})(?:[\s/][^<>]*+)?>", re.IGNORECASE)
_UNSEEN = re.compile(f"{_SOFT_HYPHEN}|{_CHARACTER.pattern}|{_TAG.pattern}", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Reading:
    """The text as read. What follows each of `starts` in it comes from the offset in `sources` at the same index."""

    text: str
    starts: list[int]
    sources: list[int]

    def find_source(self, offset: int) -> int:
        """The offset in the original text of an offset in the text as read."""
        piece = bisect_right(self.starts, offset) - 1
        return self.sources[piece] + offset - self.starts[piece]


def read(text: str) -> Reading | None:
    """The text as readers see it; None if that is how it is written."""
    if _SOFT_HYPHEN not in text and not _CHARACTER.search(text) and not _TAG.search(text):
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
