"""Pages that a site shows in place of those that it does not have (`404.html`). One that explains the error 404 is a page as any other: it
says more, has code, or stands beside pages about other errors. PURE.
"""

from __future__ import annotations

import re

from collections_app.exceptions import IngestError
from collections_app.parsing.documents import RawDocument
from collections_app.parsing.front_matter import split_front_matter

_NAME = re.compile(r"(?:^|/)404(?:\.[a-z]{2}(?:-[a-z]{2,4})?)?\.[a-z]+$", re.IGNORECASE)
# Sites have pages for 403, 500 and 503, too.
_OTHER_ERROR = re.compile(r"(?:^|/)(?!403|404|500|503)[45]\d\d(?!\d)[^/]*$")
_MAX_BYTES = 500_000  # as built, with all menus
_MAIN_STARTS = ("<article", "<main", 'role="main"')
_MAIN_ENDS = ("</article", "</main", "<footer")
_MAX_MAIN = 20_000
_MAX_CHARACTERS = 1_000
_CODE = re.compile(
    r"^[ \t>]*+(?:```|~~~|----|\.\. code|\.\. http|\||\{%-? highlight)|::[ \t]*$|<(?:pre|table)\b",
    re.MULTILINE | re.IGNORECASE,
)
_TAG = re.compile(r"<(?:script|style)\b.*?(?:</(?:script|style)>|\Z)|<[^<>]*+>", re.DOTALL | re.IGNORECASE)


def is_stand_in_name(path: str) -> bool:
    """Whether a file is called like such a page."""
    return _NAME.search(path) is not None


def is_error_name(path: str) -> bool:
    """Whether a file is called like a page about an error, for which no site has a page of its own."""
    return _OTHER_ERROR.search(path) is not None


def is_stand_in(raw: RawDocument) -> bool:
    """Whether it is such a page, if no page about another error is beside it."""
    if not is_stand_in_name(raw.path) or len(raw.content) > _MAX_BYTES:
        return False
    try:
        text = split_front_matter(raw.content.decode(errors="replace"))[1]
    except IngestError:
        return False
    text = _find_main(text)
    return (
        len(text) <= _MAX_MAIN
        and not _CODE.search(text)
        and len(" ".join(_TAG.sub(" ", text).split())) <= _MAX_CHARACTERS
    )


def _find_main(text: str) -> str:
    """What stands between the menus of a built page; all of what has none, or several parts that may be it."""
    lower = text.lower()
    for start, end in zip(_MAIN_STARTS, _MAIN_ENDS, strict=True):
        if lower.count(start) == 1:
            before, _, inside = lower.partition(start)
            return text[len(before) : len(before) + len(start) + len(inside.partition(end)[0])]
    return text
