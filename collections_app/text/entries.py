"""Entries of lists and tables, by what they are called: settings, options, arguments, variables (`- **core.editor**: …`). PURE.

An entry is a list item, a row of a table, or a term that begins with its name in code or bold and goes on with its description. Where the
name has several parts or is an option, the index has one ASCII word more for it, the same for all of its spellings, and for a heading or
a page's title that is such a name: who asks for `max_ack_pending`, or `MaxAckPending`, finds where it is described before where it is
mentioned.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from collections_app.text.analysis import ENTRY_MARK, ENTRY_ZERO, LABEL_SEPARATOR, fold_accents
from collections_app.text.code_blocks import blank_code

# In a pasted message names are beside the point.
MOST_WORDS = 12
MOST_CHARACTERS = 80
# A longer heading is about something else, too.
MOST_IN_HEADING = 2
# Around a name: code, emphasis, a link.
_OPEN, _CLOSE = r"\[?[*_`\"]{0,4}+", r"[*_`\"]{0,4}(?:\]\([^()\s]{0,300}\))?"
_NAME = r"-{0,2}(?:\[no-\])?[@$]?[A-Za-z_]\w*+(?:[.:/-]{1,2}\w++){0,10}+"
# What is given to it, within the same marks (`--output=FILE`, `each(callback)`, `name: str`) or behind them (`**--output** *FILE*`).
_WITHIN = r"(?:(?:[ =:(\[]|\\?<)[^\n|*`\"]{0,60}?(?=[*`\"]))?"
_BEHIND = r"(?:[ =][*_`<\[]{1,2}[\w .-]{1,30}[*_`>\]]{1,2})?"
# Taken whole or not at all: labels of labels would be tried in every way.
_LABEL = rf"(?>\[?(?:[*_`\"]{{1,4}}+{_NAME}{_WITHIN}|{_NAME}){_CLOSE}{_BEHIND})"
_NEXT = r"[ \t]?(?:,|/|\|\||or\b)[ \t]?"
_ITEM = r"(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?|\|[ \t]*"
# A line of nothing but links, below "See also" perhaps, describes none of them.
_LINK = r"\[[^\]\n]{1,100}\]\([^()\n]{0,300}\)[ \t]*+"
_LINKS_ALONE = rf"(?:{_LINK}[|,·•;][ \t]*+)++{_LINK}$"
_BEGINNING = rf"^[ \t>]*+(?:{_ITEM}|(?=[*_`\"\[]))(?!{_LINKS_ALONE})"
# The description begins behind a sign, in the next cell, or on a line of its own.
_DESCRIBED = r"[ \t]++=|[ \t]*+(?:[:|(,]|[-–—]{1,2}[ \t]|\n(?:[ \t]+\S|:[ \t]))"
ENTRY = re.compile(
    rf"{_BEGINNING}(?P<label>{_LABEL}(?:{_NEXT}{_LABEL}){{0,4}})(?=[ \t]++[A-Z]|{_DESCRIBED})", re.MULTILINE
)
TARGET = re.compile(r"\]\([^()\s]*\)")
NAME = re.compile(rf"(?:^|(?<=[\s,/|*_`\"\[(]))(?P<name>{_NAME})", re.ASCII)
# Of several parts, or an option: a word by itself is any word.
STRUCTURED = re.compile(r"-|.*(?:[._:/-]\w|[a-z][A-Z])")
# Beside other words `PowerShell` is a product rather.
WRITTEN_AS_NAME = re.compile(r"[-a-z_$@]|.*[._:/]")
# Of an option that may be turned round: `--[no-]verify`.
MAY_BE_NO = "[no-]"
PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")


def list_entry_names(text: str) -> list[str]:
    """What entries of a text in Markdown are called, as words of the index, each once. Code has none."""
    return encode(name for entry in ENTRY.finditer(blank_code(text)) for name in iter_names_of(entry))


def list_names_of_heading(heading: str) -> list[str]:
    """The same of a heading that is hardly more than a name, which its section describes."""
    return encode(iter_names(fold_accents(heading))) if len(heading.split()) <= MOST_IN_HEADING else []


def find_entry(text: str, names: frozenset[str]) -> int | None:
    """Where the first entry begins that is called by one of these words of the index."""
    entries = ENTRY.finditer(blank_code(text)) if names else ()
    called = (entry.start() for entry in entries if not names.isdisjoint(encode(iter_names_of(entry))))
    return next(called, None)


def list_asked_entries(question: str) -> list[str]:
    """As words of the index, the names of a question, each once."""
    words = question.split()
    if len(words) > MOST_WORDS:
        return []
    names = iter_names(fold_accents(question))
    return encode(name for name in names if len(words) == 1 or WRITTEN_AS_NAME.match(name))


def make_entry_pattern(label: str) -> re.Pattern[str]:
    """Finds where an entry begins that is called so, in any case, whatever words its label has."""
    words = r"\s+".join(map(re.escape, label.split()))
    return re.compile(
        rf"{_BEGINNING}(?:{_LABEL}{_NEXT}){{0,4}}{_OPEN}{words}{_CLOSE}{_BEHIND}(?={_DESCRIBED})",
        re.MULTILINE | re.IGNORECASE,
    )


def iter_names_of(entry: re.Match[str]) -> Iterator[str]:
    """What is called so in its label, and not where that leads."""
    return iter_names(TARGET.sub("]", entry["label"]))


def iter_names(text: str) -> Iterator[str]:
    for found in NAME.finditer(text):
        name = found["name"].rstrip("_")
        if len(name) <= MOST_CHARACTERS and STRUCTURED.match(name) and PART.search(name):
            yield from dict.fromkeys([name.replace(MAY_BE_NO, ""), name.replace(MAY_BE_NO, "no-")])


def encode(names: Iterable[str]) -> list[str]:
    """`core.pager` as zentry0core0pager, `--no-cache` as zentry0option0no0cache: no language has a stem for a word with digits."""
    words = ([*(["option"] if name.startswith("-") else []), *PART.findall(name)] for name in names)
    parts = ([each.lower().replace(LABEL_SEPARATOR, ENTRY_ZERO) for each in own] for own in words)
    return list(dict.fromkeys(LABEL_SEPARATOR.join([ENTRY_MARK, *own]) for own in parts))
