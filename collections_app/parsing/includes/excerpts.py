"""Which lines of a file are included: all of them, some by number, a named region, or what stands between two words."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

_MAX_LINE_CHARACTERS = 1000
_MARKER = re.compile(r"-+8<-+[ \t]*\[(?:start|end)|\bANCHOR(?:_END)?:")


@dataclass(frozen=True, slots=True)
class Excerpt:
    """`ranges` are lines from 1, both ends inclusive, the last line if the second is None. Empty values ask for nothing."""

    ranges: tuple[tuple[int, int | None], ...] = ()
    region: str = ""
    python_object: str = ""
    start_after: str = ""
    start_at: str = ""
    end_before: str = ""
    end_at: str = ""

    def cut(self, text: str) -> str | None:
        """The lines asked for, without the markers of regions; None if there are none such."""
        chosen = self._choose(text.split("\n"))
        lines = None if chosen is None else self._cut_at_words(chosen)
        kept = (line for line in lines or () if not (is_short(line) and _MARKER.search(line)))
        return "\n".join(kept).strip("\n") or None

    def _choose(self, lines: Sequence[str]) -> Sequence[str] | None:
        if self.region:
            return _find_region(lines, self.region)
        if self.python_object:
            return _find_python_object(lines, self.python_object)
        return _choose_ranges(lines, self.ranges) if self.ranges else lines

    def _cut_at_words(self, lines: Sequence[str]) -> Sequence[str] | None:
        for word, after in ((self.start_at, 0), (self.start_after, 1)):
            if word:
                found = _find_line(lines, word)
                if found is None:
                    return None
                lines = lines[found + after :]
        for word, after in ((self.end_at, 1), (self.end_before, 0)):
            if word:
                found = _find_line(lines, word)
                lines = lines if found is None else lines[: found + after]
        return lines


def is_short(line: str) -> bool:
    """No line that includes something, or marks a region, is longer: no pattern is tried on one that is."""
    return len(line) <= _MAX_LINE_CHARACTERS


def read_options(options: Mapping[str, str]) -> Excerpt:
    """Those of reStructuredText's and MyST's directives."""
    ranges = read_ranges(options.get("lines", ""), "-")
    if "start-line" in options or "end-line" in options:  # from 0, the end exclusive
        ranges = ((_read_number(options.get("start-line")) + 1, _read_number(options.get("end-line")) or None),)
    return Excerpt(
        ranges=ranges,
        python_object=options.get("pyobject", ""),
        start_after=options.get("start-after", ""),
        start_at=options.get("start-at", ""),
        end_before=options.get("end-before", ""),
        end_at=options.get("end-at", ""),
    )


def read_ranges(text: str, separator: str) -> tuple[tuple[int, int | None], ...]:
    """`1,3-5,10-`, with that separator between first and last."""
    ranges = []
    for part in filter(None, map(str.strip, text.split(","))):
        first, found, last = part.partition(separator)
        start = _read_number(first) or 1
        ranges.append((start, _read_number(last) or None if found else start))
    return tuple(ranges)


def _choose_ranges(lines: Sequence[str], ranges: Sequence[tuple[int, int | None]]) -> Sequence[str]:
    """Each line once, in the order of the file."""
    chosen: list[str] = []
    passed = 0
    for first, last in ranges:
        chosen += lines[max(first - 1, passed) : last]
        passed = max(passed, last or len(lines))
    return chosen


def _read_number(text: str | None) -> int:
    digits = (text or "").strip()
    return int(digits) if digits.isdecimal() and len(digits) < 8 else 0


def _find_line(lines: Sequence[str], word: str) -> int | None:
    return next((number for number, line in enumerate(lines) if word in line), None)


def _find_region(lines: Sequence[str], name: str) -> Sequence[str] | None:
    """Between the markers that MkDocs, VitePress, DocFX and mdBook write into comments."""
    name = re.escape(name)
    start = re.compile(
        rf"-+8<-+[ \t]*\[start:[ \t]*{name}\]|#?region\b.*[ \t]{name}\b|ANCHOR:[ \t]*{name}\b|<{name}>", re.IGNORECASE
    )
    end = re.compile(
        rf"-+8<-+[ \t]*\[end:[ \t]*{name}\]|#?end[ \t]?region\b|ANCHOR_END:[ \t]*{name}\b|</{name}>", re.IGNORECASE
    )
    first = _find_match(start, lines, 0)
    return lines[first + 1 : _find_match(end, lines, first + 1)] if first is not None else None


def _find_match(pattern: re.Pattern[str], lines: Sequence[str], first: int) -> int | None:
    numbers = range(first, len(lines))
    return next((number for number in numbers if is_short(lines[number]) and pattern.search(lines[number])), None)


def _find_python_object(lines: Sequence[str], name: str) -> Sequence[str] | None:
    """The lines of `Class.method`, by their indentation."""
    for part in name.split("."):
        head = re.compile(rf"[ \t]*(?:async[ \t]+)?(?:def|class)[ \t]+{re.escape(part)}\b")
        first = next((number for number, line in enumerate(lines) if head.match(line)), None)
        if first is None:
            return None
        indent = _count_indent(lines[first])
        following = range(first + 1, len(lines))
        end = next((n for n in following if lines[n].strip() and _count_indent(lines[n]) <= indent), len(lines))
        lines = lines[first:end]
    return lines


def _count_indent(line: str) -> int:
    return len(line) - len(line.lstrip())
