"""Puts the addresses of links and pictures in place of their labels (`[words][label]`, `[label]`): sections are read by themselves, and the
definitions of labels are mostly in the last section of the page. PURE.

CommonMark 0.31, section 6.3 (reference links). Definitions over several lines, and links with their labels, stay as they are written.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass

from collections_app.parsing.headings import LineKind, read_lines
from collections_app.parsing.html.escaping import make_link
from collections_app.parsing.safety.places import find_code_spans
from collections_app.text.spans import replace_spans

_MAX_CHARACTERS = 10_000
_MAX_LABEL_CHARACTERS = 999

_LABEL = rf"[^\[\]\\\n]{{1,{_MAX_LABEL_CHARACTERS}}}+"
# Hugo's, which becomes an address later.
_SHORTCODE = r"\{\{[<%][^{}\n]*+\}\}"
# Not a footnote, and not a comment (`[//]: # (words)`).
_DEFINITION = re.compile(
    rf" {{0,3}}\[(?![\^/])(?P<label>{_LABEL})\]:[ \t]*+(?:<(?P<angled>[^<>\n]++)>|(?P<plain>{_SHORTCODE}\S*+|(?!#?[ \t]|#?$|<)\S++))"
    r"(?:[ \t]++(?P<title>\"[^\"\\\n]*+\"|'[^'\\\n]*+'))?[ \t]*+$"
)
_HINT = re.compile(r"^ {0,3}\[(?![\^/])[^\[\]\n]++\]:[ \t]*+\S", re.MULTILINE)
# The second line of a definition, or the first of a paragraph that looks like one.
_MAY_BE_TITLE = re.compile(r"[ \t]*[\"'(]")
_ENDS_ALONE = re.compile(r"[ \t]*(?:#{1,6}[ \t]|`{3}|~{3}|(?:[-*_][ \t]*){3,}$|<!--.*-->[ \t]*$)")

# Brackets mean nothing in tags and in the addresses of links. Code is found by find_code_spans().
_OPAQUE = re.compile(r"<[a-zA-Z/!][^<>]*+>|(?<=\]\()(?:[^()]|\([^()]*+\))*+(?=\))|\\[\[\]\\]")
_WORDS = r"(?:!\[[^\[\]]*+\]|[^\[\]])*+"
# What looks like the beginning of a link, but is not.
_OPEN_LINK = re.compile(r"\]\((?!\0*+\))")
_PICTURE = re.compile(r"!\[(?P<words>[^\[\]]*+)\](?:\[(?P<label>[^\[\]]*+)\]|(?![\[(]))")
_LINK = re.compile(rf"(?<![!\[\]])\[(?P<words>{_WORDS})\](?:\[(?P<label>[^\[\]]*+)\]|(?![\[(\]]))")
_IN_BRACKETS = re.compile(rf"\[([^\[\]]{{1,{_MAX_LABEL_CHARACTERS}}}+)\]")
_BEFORE_CHECKBOX = re.compile(r"[ \t>]*(?:[-*+]|\d{1,9}[.)])[ \t]+$")
_BEFORE_DEFINITION = re.compile(r"[ \t>]*$")
_BEGINS_BLOCK = re.compile(r"[ \t]*(?:[-*+>|#<]|\d{1,9}[.)]|`{3}|~{3}|:{3})")


@dataclass(frozen=True, slots=True)
class _Definition:
    line: int
    address: str
    title: str
    """Including its quotation marks."""

    def write(self, words: str) -> str:
        if self.address.startswith("{{"):
            return f"[{words}]({self.address})"
        return make_link(words, self.address, self.title)


def write_reference_links(content: str) -> str:
    """The text with each link and its address together, its lines on their places; without the definitions that nothing names any more.
    Blank lines at its end go with them."""
    if "]:" not in content or not _HINT.search(content):
        return content
    lines = content.split("\n")
    kinds, _ = read_lines(lines)
    definitions, own_lines = _find_definitions(lines, kinds)
    if not definitions:
        return content
    page = _Page(lines, kinds, definitions, kept=own_lines)
    page.write()
    return page.drop_definitions()


def _find_definitions(lines: Sequence[str], kinds: Sequence[LineKind]) -> tuple[dict[str, _Definition], set[int]]:
    """The first definition of each label; and the numbers of all lines that are definitions or may be their titles.

    A definition cannot continue a paragraph. If its title may be on the next line, its address is left empty here.
    """
    found: dict[str, _Definition] = {}
    own_lines: set[int] = set()
    last_whole = -1
    for number, line in enumerate(lines):
        if "]:" not in line or kinds[number] is not LineKind.MARKDOWN or number in own_lines:
            continue
        may_begin = number - 1 == last_whole or _ends_paragraph(lines[number - 1], kinds[number - 1])
        if may_begin and (match := _DEFINITION.match(line)):
            following = lines[number + 1] if number + 1 < len(lines) else ""
            is_whole = bool(match["title"]) or not _MAY_BE_TITLE.match(following)
            address = (match["angled"] or match["plain"]) if is_whole else ""
            own_lines |= {number} if is_whole else {number, number + 1}
            last_whole = number if is_whole else last_whole
            found.setdefault(fold_label(match["label"]), _Definition(number, address, match["title"] or ""))
    return found, own_lines


def _ends_paragraph(line: str, kind: LineKind) -> bool:
    return kind is not LineKind.MARKDOWN or not line.strip() or _ENDS_ALONE.match(line) is not None


class _Page:
    """`kept` has the numbers of the lines whose links stay as they are written."""

    def __init__(
        self,
        lines: list[str],
        kinds: Sequence[LineKind],
        definitions: Mapping[str, _Definition],
        kept: Set[int],
    ) -> None:
        self._lines, self._kinds, self._definitions, self._kept = lines, kinds, definitions, kept
        self._named: set[str] = set()
        self._left = self._count_brackets()

    def write(self) -> None:
        for start, end in self._iter_runs():
            text = "\n".join(self._lines[start:end])
            if self._definitions.keys().isdisjoint(map(fold_label, _IN_BRACKETS.findall(text))):
                continue  # most brackets are those of links with an address
            if "![" in text:
                text = self._write_links(_PICTURE, text)
            self._lines[start:end] = self._write_links(_LINK, text).split("\n")

    def _iter_runs(self) -> Iterator[tuple[int, int]]:
        """Where lines with brackets begin and end, with those that belong to them, as code and links may extend over several lines."""
        end = 0
        for number, line in enumerate(self._lines):
            if number < end or "[" not in line or not self._is_text(number):
                continue
            start, end = number, number + 1
            while start > 0 and not _BEGINS_BLOCK.match(self._lines[start]) and self._is_text(start - 1):
                start -= 1
            while end < len(self._lines) and not _BEGINS_BLOCK.match(self._lines[end]) and self._is_text(end):
                end += 1
            yield start, end

    def _is_text(self, number: int) -> bool:
        return (
            self._kinds[number] is LineKind.MARKDOWN and number not in self._kept and bool(self._lines[number].strip())
        )

    def _write_links(self, pattern: re.Pattern[str], text: str) -> str:
        links = ((*found.span(), self._write_link(text, found)) for found in pattern.finditer(_hide_code(text) or ""))
        return replace_spans(text, (link for link in links if link[2]))

    def _write_link(self, text: str, found: re.Match[str]) -> str:
        """The link with its address; empty if it is no reference to a definition."""
        start, end = found.span("words")
        words = text[start:end]
        label = text[slice(*found.span("label"))] if found["label"] else words
        definition = self._definitions.get(fold_label(label))
        if definition is None or not definition.address or not words.strip() or _is_something_else(text, found):
            return ""
        if found["label"] and "\n" in label:  # the number of lines would change
            return ""
        if "|" in text and "|" in f"{definition.address}{definition.title}":  # it would end the table's cell
            return ""
        self._named.add(fold_label(label))
        self._left.subtract([fold_label(label), fold_label(words)] if found["label"] else [fold_label(label)])
        return f"{text[found.start() : start - 1]}{definition.write(words)}"

    def drop_definitions(self) -> str:
        """Remove the definitions whose links were all replaced, if nothing else on the page may refer to them."""
        dropped = [
            each.line for label, each in self._definitions.items() if label in self._named and self._left[label] <= 0
        ]
        for number in dropped:
            self._lines[number] = ""
        while dropped and len(self._lines) > 1 and self._is_blank(-1) and self._is_blank(-2):
            self._lines.pop()
        return "\n".join(self._lines)

    def _is_blank(self, place: int) -> bool:
        """Whether the line is blank, counted from the end; blank lines of code are code."""
        return not self._lines[place].strip() and self._kinds[len(self._lines) + place] is not LineKind.CODE

    def _count_brackets(self) -> Counter[str]:
        """How often each label is in brackets outside of definitions, also over line ends."""
        own = {definition.line for definition in self._definitions.values()}
        texts = (line for number, line in enumerate(self._lines) if number not in own)
        return Counter(fold_label(label) for label in _IN_BRACKETS.findall("\n".join(texts)))


def _is_something_else(text: str, found: re.Match[str]) -> bool:
    """Whether it is a checkbox, or a definition in a list or a quote."""
    before, behind = text[: found.start()], text[found.end() :]
    if not found["label"] and behind.startswith(":") and _BEFORE_DEFINITION.match(before.rpartition("\n")[2]):
        return True
    return found["words"] in (" ", "x", "X") and not found["label"] and _BEFORE_CHECKBOX.match(before) is not None


def _hide_code(text: str) -> str | None:
    """The text with NULs in place of code, tags and addresses; None if code or a link is left open, or if the text is very long."""
    if len(text) > _MAX_CHARACTERS:
        return None
    seen = replace_spans(text, ((start, end, "\0" * (end - start)) for start, end in find_code_spans(text)))
    seen = _OPAQUE.sub(lambda found: "\0" * len(found[0]), seen)
    return None if "`" in seen or _OPEN_LINK.search(seen) else seen


def fold_label(label: str) -> str:
    """The label as CommonMark compares it: in any case, each run of white space as one blank."""
    return " ".join(label.split()).casefold()
