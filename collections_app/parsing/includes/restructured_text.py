"""Finds the reStructuredText directives that include files: `include`, `literalinclude`, `csv-table` with a file; MongoDB's `input` and
`output`, which contain code or name a file with it; and `cmake-module`, which names a script whose comment is documentation.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from collections_app.parsing.hints import Hint
from collections_app.parsing.includes.excerpts import Excerpt, is_short, read_options
from collections_app.parsing.includes.lines import Include, Writing, split_options

MAX_CHARACTERS = 2_000_000
"""The limit for a text and everything that it includes, as the parser has it. It is defined here because the parser takes long to load."""

_DIRECTIVE = re.compile(
    r"(?P<prefix>[ \t]*)\.\.[ \t]+(?P<name>literalinclude|include|csv-table|cmake-module|input|output)::(?:[ \t]+(?P<argument>.*))?$"
)

# https://cmake.org/cmake/help/latest/manual/cmake-developer.7.html
_CMAKE_COMMENT = Excerpt(start_after="[.rst:", end_before="#]=")

HINT = Hint(rb"::(?:(?<=include::)|(?<=csv-table::)|(?<=cmake-module::)|(?<=put::))")
"""Is in every text in which iter_restructured_text() finds something."""


def iter_restructured_text(lines: Sequence[str]) -> Iterator[Include]:
    """The includes in these lines, without docutils' own files (`<isonum.txt>`), which are not in the source."""
    for number, line in enumerate(lines):
        match = _DIRECTIVE.match(line) if is_short(line) else None
        if match and (include := _read(lines, number, match)) and not include.target.startswith("<"):
            yield include


def _read(lines: Sequence[str], first: int, match: re.Match[str]) -> Include | None:
    options, taken = split_options(lines[first + 1 : first + 50])
    prefix, name, target = match["prefix"], match["name"], (match["argument"] or "").strip()
    end = first + 1 + len(taken)
    if name == "csv-table":
        if not options.get("file"):
            return None
        kept = tuple(
            line[len(prefix) :] for line in lines[first:end] if not line.lstrip().startswith((":file:", ":encoding:"))
        )
        return Include(first, end, prefix, options["file"], Excerpt(), Writing.AS_TABLE, kept=kept)
    if name == "cmake-module" and target:
        return Include(first, end, prefix, target, _CMAKE_COMMENT, Writing.AS_TEXT)
    is_part = name in ("input", "output")
    if not target or (is_part and not target.startswith("/")):
        return None
    is_code = is_part or name == "literalinclude" or "literal" in options or "code" in options
    writing = Writing.AS_CODE if is_code else Writing.BY_EXTENSION
    kept = tuple(line[len(prefix) :] for line in taken if line.lstrip().startswith((":caption:", ":name:")))
    language = options.get("language", "") or options.get("code", "")
    return Include(first, end, prefix, target, read_options(options), writing, language, kept)
