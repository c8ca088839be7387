"""Moves Markdown footnotes (`[^1]: text`) to the end of the section that refers to them: they are mostly in the last section of the page,
but sections are read by themselves. PURE.

If several sections refer to a note, each gets it, unless that would make the page much longer; then only the first does. Notes that nothing
refers to, those in lists and quotes, and several with the same name stay where they are.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from collections_app.parsing.headings import LineKind, read_lines
from collections_app.parsing.safety.places import find_code_spans
from collections_app.text.spans import is_in_span

_HINT = re.compile(r"^ {0,3}\[\^[^\s\[\]]++\]:", re.MULTILINE)
_DEFINITION = re.compile(r" {0,3}\[\^(?P<label>[^\s\[\]]++)\]:")
_REFERENCE = re.compile(r"(?<![!\\])\[\^(?P<label>[^\s\[\]]++)\]")
# The beginning of a note in a list or a quote.
_BEGINS_NOTE = re.compile(r"[ \t>*+-]*+\[\^[^\s\[\]]++\]:")
_BEGINS_BLOCK = re.compile(r"[ \t]*(?:[>|<]|(?:[-*+]|#{1,6}|\d{1,9}[.)])[ \t]|`{3}|~{3}|:{3}|(?:[-*_][ \t]*+){3,}+$)")
_INDENTED = re.compile(r"(?: {4}|\t)[ \t]*\S")
_TIMES_LONGER = 4  # notes may add this part of the page at most: a quarter


@dataclass(frozen=True, slots=True)
class _Note:
    """A note in lines `first` to `end` (exclusive) of the page, and the section that it is in."""

    first: int
    end: int
    section: int


def move_footnotes(content: str) -> str:
    """The text with as many lines as before or more."""
    if "[^" not in content or not _HINT.search(content):
        return content
    lines = content.split("\n")
    kinds, starts = read_lines(lines)
    notes = _find_notes(lines, kinds, starts)
    referring = _find_references(lines, kinds, starts, notes)
    room = len(content) // _TIMES_LONGER
    put_in, gone = defaultdict[int, list[str]](list), set[int]()
    for label, note in notes.items():
        sections = referring.get(label, [])
        if note.section in sections and len(sections) == 1:
            continue
        text, is_apart = lines[note.first : note.end], not lines[note.first - 1].strip()
        room -= sum(map(len, text)) * (len(sections) - 1)
        for section in sections if room >= 0 else sections[:1]:
            if section != note.section:
                put_in[section] += ["", *text] if is_apart and put_in[section] else text
        if sections and note.section not in sections:
            gone.update(range(note.first, note.end))
    return "\n".join(_iter_lines(lines, starts, put_in, gone)) if put_in else content


def _find_notes(lines: Sequence[str], kinds: Sequence[LineKind], starts: Sequence[int]) -> Mapping[str, _Note]:
    """Notes by label. Labels with several notes are left out."""
    found = defaultdict[str, list[_Note]](list)
    headings = set(starts)
    number, may_begin = 0, True
    while number < len(lines):
        match = _DEFINITION.match(lines[number]) if may_begin and kinds[number] is LineKind.MARKDOWN else None
        if match:
            end = _find_end(lines, kinds, number)
            found[match["label"]].append(_Note(number, end, bisect_right(starts, number)))
            number = end
        else:
            may_begin = not lines[number].strip() or number in headings
            number += 1
    return {label: notes[0] for label, notes in found.items() if len(notes) == 1}


def _find_end(lines: Sequence[str], kinds: Sequence[LineKind], first: int) -> int:
    """The line after its paragraph and the indented lines below."""
    end, number, is_open = first + 1, first + 1, True
    while number < len(lines):
        line = lines[number]
        if not line.strip():
            is_open = False
        elif _INDENTED.match(line) or (
            is_open
            and kinds[number] is LineKind.MARKDOWN
            and not (_BEGINS_BLOCK.match(line) or _DEFINITION.match(line))
        ):
            end = number + 1
        else:
            break
        number += 1
    return end


def _find_references(
    lines: Sequence[str], kinds: Sequence[LineKind], starts: Sequence[int], notes: Mapping[str, _Note]
) -> Mapping[str, list[int]]:
    """The sections that refer to each label, in order. References in notes do not count."""
    own = {number for note in notes.values() for number in range(note.first, note.end)}
    found = defaultdict[str, list[int]](list)
    for number, line in enumerate(lines):
        if "[^" not in line or number in own or kinds[number] is LineKind.CODE:
            continue
        section, spans = bisect_right(starts, number), find_code_spans(line)
        note = _BEGINS_NOTE.match(line)
        for reference in _REFERENCE.finditer(line, note.end() if note else 0):
            sections = found[reference["label"]]
            if not is_in_span(spans, *reference.span()) and sections[-1:] != [section]:
                sections.append(section)
    return found


def _iter_lines(
    lines: Sequence[str], starts: Sequence[int], put_in: Mapping[int, Sequence[str]], gone: set[int]
) -> Iterator[str]:
    """The lines, with the notes of each section after its last line that is not blank."""
    for section, (start, end) in enumerate(zip([0, *starts], [*starts, len(lines)], strict=True)):
        kept = [lines[number] for number in range(start, end) if number not in gone]
        blank = len(kept)
        while blank and not kept[blank - 1].strip():
            blank -= 1
        notes = put_in.get(section, ())
        yield from kept[:blank]
        yield from ("", *notes, "") if notes and not kept[blank:] else ("", *notes) if notes else ()
        yield from kept[blank:]
