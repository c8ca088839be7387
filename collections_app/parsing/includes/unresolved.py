"""Reports what a page includes but does not contain. PURE."""

from __future__ import annotations

import re

from collections_app.parsing.asciidoc.attributes import Attributes
from collections_app.parsing.decoding import decode_text
from collections_app.parsing.formats import Format
from collections_app.parsing.includes.by_format import MARKDOWN, has_hint, iter_includes
from collections_app.parsing.includes.hugo import find_within_lines
from collections_app.parsing.includes.page import MAX_FILE_BYTES

_MAX_SHOWN = 5
_HAS_WORD = re.compile(r"\w")


def find_unresolved(format: Format, content: bytes) -> tuple[str, ...]:
    """A warning about files that a page includes but does not contain; empty if it contains them all."""
    if not has_hint(format, content):
        return ()
    text = decode_text(content)[0]
    lines = text.split("\n")
    found = [
        next(filter(_HAS_WORD.search, lines[include.first : include.end]), "").strip()
        for include in iter_includes(format, lines, Attributes(), "")
        if include.first < include.end
    ] + (find_within_lines(text) if format in MARKDOWN else [])
    if not found:
        return ()
    more = [f"{len(found) - _MAX_SHOWN} more"] if len(found) > _MAX_SHOWN else []
    shown = ", ".join([*found[:_MAX_SHOWN], *more])
    what_is_put_in = f"text files that they hold, of at most {MAX_FILE_BYTES // 1024**2} MiB each"
    outside = "For files outside of what is read, read a folder above."
    return (
        f"Files that it includes are not in its text: {shown}. Directories, Git sources and archives put in {what_is_put_in}. {outside}",
    )
