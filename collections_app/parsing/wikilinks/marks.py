"""Removes what a vault's pages contain only for its program: block ids (`^b15695` at the end of a block), and comments (`%%…%%`)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from collections_app.parsing.headings import LineKind, iter_line_kinds
from collections_app.parsing.safety.places import Places
from collections_app.text.spans import replace_spans

_ID = re.compile(r"[A-Za-z0-9-]{1,200}")
# Ids as Obsidian makes them.
_MADE_ID = re.compile(r"(?=.*[0-9])(?=.*[a-f])[0-9a-f]{6}")
_FEWEST_DIGITS = 3  # in an id of digits only: `x ^2` has none
# With several words: `%%VERSION%%` may be a placeholder, and `%%{init: …}%%` is Mermaid's.
_COMMENT_LINE = re.compile(r"[ \t]*%%(?=[^%\s{]*[ \t])[^%]+%%[ \t]*")
_BEGINS_BLOCK = re.compile(r"[ \t>]*(?:$|(?:[-*+]|\d{1,9}[.)])[ \t]|#{1,6}[ \t]|>|\||`{3}|~{3})")
_BEFORE_BLOCK = re.compile(r"[ \t>]*(?:[-*+][ \t]+)?$")


def drop_marks(text: str, *, is_vault: bool = True) -> str:
    """The text without these marks, with no line moved. If it is not known to be in a vault, only comments of whole lines and ids made by
    Obsidian are removed.
    """
    if "%%" in text:
        text = _drop_comments(text) if is_vault else _drop_comment_lines(text)
    return _drop_ids(text, is_vault=is_vault) if "^" in text else text


def find_block_id(line: str) -> tuple[int, str]:
    """Where the text before a block id at its end ends, and the id; empty if there is none."""
    text = line.rstrip()
    start = text.rfind("^")
    if start < 0 or (start > 0 and text[start - 1] not in " \t>") or not _ID.fullmatch(text, start + 1):
        return len(line), ""
    found = text[start + 1 :]
    is_power = found.isdigit() and len(found) < _FEWEST_DIGITS and bool(text[:start].strip(" \t>"))
    return (len(line), "") if is_power else (len(text[:start].rstrip()), found)


def _drop_ids(text: str, *, is_vault: bool) -> str:
    lines = text.split("\n")
    found = {
        number: (end, name)
        for number, line in enumerate(lines)
        if "^" in line
        for end, name in [find_block_id(line)]
        if name and (is_vault or _MADE_ID.fullmatch(name)) and _ends_block(lines, number)
    }
    if not found:
        return text
    for number, kind in enumerate(iter_line_kinds(list(lines))):
        if number in found and kind is LineKind.MARKDOWN:
            lines[number] = lines[number][: found[number][0]]
    return "\n".join(lines)


def _ends_block(lines: Sequence[str], number: int) -> bool:
    return number + 1 == len(lines) or _BEGINS_BLOCK.match(lines[number + 1]) is not None


def _drop_comments(text: str) -> str:
    comments = _iter_comments(text)
    return replace_spans(text, ((start, end, "\n" * text.count("\n", start, end)) for start, end in comments))


def _drop_comment_lines(text: str) -> str:
    lines = text.split("\n")
    found = {
        number
        for number, line in enumerate(lines)
        if "%%" in line and _COMMENT_LINE.fullmatch(line) and not "".join(lines[max(0, number - 1) : number]).strip()
    }
    if not found:
        return text
    kinds = iter_line_kinds(list(lines))
    return "\n".join(
        "" if number in found and kind is LineKind.MARKDOWN else lines[number] for number, kind in enumerate(kinds)
    )


def _iter_comments(text: str) -> Iterator[tuple[int, int]]:
    """Comments within a line, and those that begin a block. An unclosed comment is text."""
    places = Places(text, has_markup=True)
    opened = -1
    for sign in re.finditer("%%", text):
        if places.is_code(*sign.span()):
            continue
        if opened >= 0 and ("\n" not in text[opened : sign.start()] or _begins_block(places, opened)):
            yield opened, sign.end()
            opened = -1
        else:
            opened = sign.start()


def _begins_block(places: Places, start: int) -> bool:
    return _BEFORE_BLOCK.match(places.get_text_before(start)) is not None
