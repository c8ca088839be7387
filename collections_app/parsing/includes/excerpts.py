"""Selects the included lines of a file: all, some by number, a named region, or those between two words."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from collections_app.parsing.includes.notes import find_block, find_heading_part

_MAX_LINE_CHARACTERS = 1000
_MAX_OPEN_TAGS = 50
_MARKER = re.compile(r"-+8<-+[ \t]*\[(?:start|end)|\bANCHOR(?:_END)?:|\b(?:tag|end)::[^\s\[\]]+\[\](?=\s|$)")
# Paradox's labels, which begin and end with the same comment: `// #label`
_LABEL = re.compile(r"(?:^|//|<!---?|--|/\*|[#;%])[ \t]*+#(?P<name>\w(?:[\w.]|-(?!-))*+)[ \t]*+(?:\*/|-*+>)?[ \t\r]*$")
_REGION = re.compile(
    r"(?:#[ \t]*(?:#[ \t]*|pragma[ \t]+)?|(?://|<!--|/\*|--|\(\*|::|\brem[ \t])[ \t]*#?[ \t]*)(?P<end>end[ \t]?)?region\b(?P<names>.*)",
    re.IGNORECASE,
)
_WORD = re.compile(r"[\w.-]*\w")
_TAG = re.compile(r"\b(?P<kind>tag|end)::(?P<name>[^\s\[\]]+)\[\](?=\s|$)")


@dataclass(frozen=True, slots=True)
class Excerpt:
    """`ranges` are lines from 1, both ends inclusive; None is the last line. `tags` are AsciiDoc's, each with whether it is wanted,
    `labels` Paradox's. `marks` are parts of the lines before and after each of the wanted places. `braces` is a word before a block in
    braces, without these if `within_braces`. `heading` and `block` name a part of a page, as in wikilinks; with a `region` that the file
    does not have, the text below the heading is meant. `indent` is the new indentation of the lines; None keeps theirs. Empty values select
    nothing.
    """

    ranges: tuple[tuple[int, int | None], ...] = ()
    region: str = ""
    python_object: str = ""
    start_after: str = ""
    start_at: str = ""
    end_before: str = ""
    end_at: str = ""
    tags: tuple[tuple[str, bool], ...] = ()
    labels: tuple[str, ...] = ()
    marks: tuple[str, str] | None = None
    braces: str = ""
    within_braces: bool = False
    indent: int | None = None
    heading: str = ""
    block: str = ""

    @property
    def is_whole(self) -> bool:
        """Whether all lines are selected."""
        return replace(self, indent=None) == Excerpt()

    @property
    def is_between_words(self) -> bool:
        """Whether it is what stands between two words, as in a file that is written for being included in parts."""
        return bool(self.start_after and self.end_before)

    def cut(self, text: str) -> str | None:
        """The selected lines, without markers of regions; None if there are none. A file may be empty, and so may a tag be."""
        chosen = self._choose(text.split("\n"))
        lines = None if chosen is None else self._cut_at_words(chosen)
        kept = (line for line in lines or () if not (is_short(line) and _MARKER.search(line)))
        cut = "\n".join(self._indent(list(kept))).strip("\n")
        may_be_empty = self.is_whole or (self.tags and chosen is not None)
        return cut if cut or may_be_empty else None

    def _choose(self, lines: Sequence[str]) -> Sequence[str] | None:
        if self.tags:
            return _choose_tags(lines, dict(self.tags))
        if self.labels:
            return _choose_labels(lines, self.labels)
        if self.marks:
            return _choose_between(lines, *self.marks)
        if self.braces:
            return _choose_braces(lines, self.braces, is_within=self.within_braces)
        if self.region:
            found = _find_region(lines, self.region)
            if found is None and self.heading:
                found = (find_heading_part(lines, self.heading) or [])[1:]
            return _choose_ranges(found, self.ranges) if found and self.ranges else found
        if self.python_object:
            return _find_python_object(lines, self.python_object)
        if self.heading:
            return find_heading_part(lines, self.heading)
        if self.block:
            return find_block(lines, self.block)
        return _choose_ranges(lines, self.ranges) if self.ranges else lines

    def _indent(self, lines: Sequence[str]) -> Sequence[str]:
        if self.indent is None:
            return lines
        width = min((_count_indent(line) for line in lines if line.strip()), default=0)
        blanks = " " * self.indent
        return [blanks + line[width:] if line.strip() else "" for line in lines]

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
    """Whether patterns are tried on the line: longer lines include nothing and mark no region."""
    return len(line) <= _MAX_LINE_CHARACTERS


def read_options(options: Mapping[str, str]) -> Excerpt:
    """Reads the options of reStructuredText's and MyST's directives."""
    ranges = read_ranges(options.get("lines", ""), "-")
    if "start-line" in options or "end-line" in options:  # counted from 0, with an exclusive end
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
    """Reads ranges such as `1,3-5,10-`; `separator` is between first and last."""
    ranges = []
    for part in filter(None, map(str.strip, text.split(","))):
        first, found, last = part.partition(separator)
        start = _read_number(first) or 1
        ranges.append((start, _read_number(last) or None if found else start))
    return tuple(ranges)


def _choose_ranges(lines: Sequence[str], ranges: Sequence[tuple[int, int | None]]) -> Sequence[str]:
    """The lines in the order of the file, each once."""
    chosen: list[str] = []
    passed = 0
    for first, last in ranges:
        chosen += lines[max(first - 1, passed) : last]
        passed = max(passed, last or len(lines))
    return chosen


def _choose_tags(lines: Sequence[str], wanted: Mapping[str, bool]) -> Sequence[str] | None:
    """The lines of the wanted regions; `*` stands for all tagged lines, `**` for all lines. None if a name is not found.

    https://docs.asciidoctor.org/asciidoc/latest/directives/include-tagged-regions/
    """
    names = {name: is_wanted for name, is_wanted in wanted.items() if name not in ("*", "**")}
    default = wanted.get("**", not any(wanted.values()))
    is_kept, chosen, found = default, list[str](), set[str]()
    around: list[tuple[str, bool]] = []
    for line in lines:
        tag = _TAG.search(line) if "::" in line and is_short(line) else None
        if tag is None:
            if is_kept:
                chosen.append(line)
        elif tag["kind"] == "tag":
            found.add(tag["name"])
            around.append((tag["name"], is_kept))
            is_kept = names.get(tag["name"], wanted.get("*", is_kept))
        elif around and tag["name"] in (name for name, _ in around[-_MAX_OPEN_TAGS:]):
            while around:
                name, is_kept = around.pop()
                if name == tag["name"]:
                    break
    return chosen if all(name in found for name, is_wanted in names.items() if is_wanted) else None


def _choose_labels(lines: Sequence[str], names: Sequence[str]) -> Sequence[str] | None:
    """The lines between those with the labels, without the lines of other labels. None if one is not found."""
    chosen, found, still_open = list[str](), set[str](), set[str]()
    for line in lines:
        label = _LABEL.search(line) if "#" in line and is_short(line) else None
        if label is None:
            chosen += [line] if still_open else []
        elif label["name"] in names:
            found.add(label["name"])
            still_open ^= {label["name"]}
    return chosen if found.issuperset(names) else None


def _choose_between(lines: Sequence[str], before: str, after: str) -> Sequence[str] | None:
    """The lines of all places that begin after one mark and end before the other, or with the file. None if there is none."""
    chosen, found, is_within = list[str](), False, False
    for line in lines:
        if before in line:
            found = is_within = True
        elif after in line:
            is_within = False
        elif is_within:
            chosen.append(line)
    return chosen if found else None


def _choose_braces(lines: Sequence[str], word: str, *, is_within: bool) -> Sequence[str]:
    """Each block that opens in a line with the word, up to the brace that closes it. The word alone, as in an import, opens none."""
    chosen, depth = list[str](), 0
    for line in lines:
        begins = depth <= 0 and word in line and "{" in line
        if not begins and depth <= 0:
            continue
        depth = max(depth, 0) + line.count("{") - line.count("}")
        if not is_within or (depth > 0 and not begins):
            chosen.append(line)
    return chosen


def _read_number(text: str | None) -> int:
    digits = (text or "").strip()
    return int(digits) if digits.isdecimal() and len(digits) < 8 else 0


def _find_line(lines: Sequence[str], word: str) -> int | None:
    return next((number for number, line in enumerate(lines) if word in line), None)


def _find_region(lines: Sequence[str], name: str) -> Sequence[str] | None:
    """The lines between the markers that MkDocs, VitePress, DocFX and mdBook write into comments."""
    escaped = re.escape(name)
    start = re.compile(rf"-+8<-+[ \t]*\[start:[ \t]*{escaped}\]|ANCHOR:[ \t]*{escaped}\b|<{escaped}>", re.IGNORECASE)
    end = re.compile(rf"-+8<-+[ \t]*\[end:[ \t]*{escaped}\]|ANCHOR_END:[ \t]*{escaped}\b|</{escaped}>", re.IGNORECASE)
    first = _find_match(start, lines, 0)
    return _find_regions(lines, name) if first is None else lines[first + 1 : _find_match(end, lines, first + 1)]


def _find_regions(lines: Sequence[str], name: str) -> Sequence[str] | None:
    """The lines of all of an editor's regions with the name, without the markers of others within them.

    https://code.visualstudio.com/docs/editor/codebasics#_folding
    """
    name, chosen, still_open, found = name.casefold(), list[str](), list[frozenset[str]](), False
    depth = 0
    for line in lines:
        mark = _REGION.search(line) if "region" in line.lower() and is_short(line) else None
        if mark is None:
            chosen += [line] if depth else []
        elif not mark["end"]:
            still_open.append(_read_names(mark))
            depth += name in still_open[-1]
            found = found or depth > 0
        else:
            for closed in _close_regions(still_open, _read_names(mark)):
                depth -= name in closed
    return chosen if found else None


def _read_names(mark: re.Match[str]) -> frozenset[str]:
    return frozenset(_WORD.findall(mark["names"].casefold()))


def _close_regions(still_open: list[frozenset[str]], names: frozenset[str]) -> Sequence[frozenset[str]]:
    """Takes the innermost region that the names name out of those that are open, with all in it; the innermost if none is named."""
    nearest = still_open[-_MAX_OPEN_TAGS:]
    inner = next((number for number, each in enumerate(reversed(nearest), start=1) if not each.isdisjoint(names)), 1)
    closed = still_open[-inner:]
    del still_open[-inner:]
    return closed


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
