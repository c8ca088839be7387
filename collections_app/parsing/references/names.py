"""What a reStructuredText page can be referred to by: its title, its labels with the titles after them, and its headings."""

from __future__ import annotations

import re
import string
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from collections_app.parsing.sphinx.pep_header import split_pep_header

MAX_TITLE_CHARACTERS = 300
MAX_LABEL_CHARACTERS = 200
_SHORT_UNDERLINE = 4  # a longer underline may be shorter than its title

LABEL = re.compile(r"\.\.[ \t]+_(?![ _:])(?:`([^`]+)`|((?:[^:`\\]|\\.|:(?=\S))+)):\s*$")
_UNTOLD = re.compile(r"\.\.[ \t]+(?:index|spelling(?::word-list)?)::")
_SIGNS = frozenset(string.punctuation)
_ADORNMENT = re.compile(r"([!-/:-@\[-`{-~])\1*\s*$")

_MARKUP = (
    (re.compile(r"(?<![\w`\\])([A-Za-z\d]++(?:[-._+:][A-Za-z\d]++)*+)__?(?![\w`])"), r"\1"),
    (re.compile(r":[\w:.+-]+:`~[^`<>]*?([^`<>.]+)`"), r"\1"),
    (re.compile(r"(?::[\w:.+-]+:)?`([^`<>]+?)(?:\s*<[^`<>]*>)?`(?:__?(?!\w))?"), r"\1"),
    (re.compile(r"(?<![\w*])(\*{1,2})(?=\S)([^*]+)(?<=\S)\1(?![\w*])"), r"\2"),
    (re.compile(r"\\(\s?)"), ""),
)


@dataclass(frozen=True, slots=True)
class Label:
    """`title` is that of the section, empty if something else follows the label; `fragment` is the section's anchor."""

    name: str
    title: str
    fragment: str


@dataclass(frozen=True, slots=True)
class Names:
    """`headings` are labels that Sphinx makes of the sections (`autosectionlabel`), which count together with the page that they are in."""

    title: str
    labels: Sequence[Label]
    headings: Sequence[Label] = ()


def read_names(text: str) -> Names:
    """The page's title, which is empty if it has no section, its labels and its headings."""
    pep, text = split_pep_header(text)
    title, labels, headings = pep.full_title[:MAX_TITLE_CHARACTERS] if pep else "", list[Label](), list[Label]()
    for heading, names in _iter_labelled(text.splitlines()):
        title = title or heading
        # Of several labels before a section, docutils makes the first its anchor.
        fragment = make_fragment(names[0]) if heading and names else ""
        labels += [Label(normalise(name), heading, fragment) for name in names]
        if heading:
            headings.append(Label(normalise(heading), heading, fragment or make_fragment(heading)))
    return Names(title, labels, headings)


def normalise(label: str) -> str:
    """The label as docutils compares it."""
    return " ".join(label.lower().split())


def make_fragment(label: str) -> str:
    """The anchor that docutils makes from a label."""
    letters = unicodedata.normalize("NFKD", label.lower()).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", letters).lstrip("-0123456789").rstrip("-")


def _iter_labelled(lines: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
    """The titles of the sections, each with its labels. Labels before anything else have an empty title."""
    labels: list[str] = []
    is_untold = False
    for number, line in enumerate(lines):
        if not line.strip() or (is_untold and line[0].isspace()):
            continue
        is_untold = bool(_UNTOLD.match(line))
        if is_untold:
            continue
        if label := LABEL.match(line) if len(line) <= MAX_LABEL_CHARACTERS else None:
            labels.append(label[1] or label[2].replace("\\", ""))
            continue
        title = _find_title(lines, number)
        if title or labels:
            yield title, labels
            labels = []


def _find_title(lines: Sequence[str], number: int) -> str:
    """The title that begins at this line, or an empty text."""
    line, below, second = (*lines[number : number + 3], "", "")[:3]
    before = lines[number - 1] if number else ""
    if (
        not _has_adornment(line, below)
        or line[0].isspace()
        or (before.strip() and not LABEL.match(before[: MAX_LABEL_CHARACTERS + 1]))
    ):
        return ""
    if _is_adornment(line):
        return _clean(below) if below.strip() and second.rstrip() == line.rstrip() else ""
    is_title = _is_adornment(below) and len(below.rstrip()) >= min(_SHORT_UNDERLINE, len(line.rstrip()))
    return _clean(line) if is_title else ""


def _has_adornment(line: str, below: str) -> bool:
    """Whether one of the lines may be an adornment. Few are, so this saves most of the time."""
    return below[:1] in _SIGNS or line[:1] in _SIGNS


def _is_adornment(line: str) -> bool:
    return _ADORNMENT.match(line) is not None


def _clean(title: str) -> str:
    """The words of a title, without markup."""
    title = title[:MAX_TITLE_CHARACTERS].replace("``", "`")
    for pattern, words in _MARKUP:
        title = pattern.sub(words, title)
    return " ".join(title.split())
