"""Holds a model's answer against the passages that it was given. PURE.

Each citation is of a passage that was sent, or goes. Each sentence cites one, or is marked. Code, headings, tables, and sentences that end
with a colon are not judged. Whether a passage says what the sentence says is not looked at.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from collections_app.answering.links import remove_foreign_links
from collections_app.answering.results import CheckedText

MARK = " (unsupported)"

_FENCE = re.compile(r"^(?:[ >]|[-*+][ ])*(`{3,}|~{3,})")
_CODE_SPAN = re.compile(r"(?<!`)(`+)(?!`)[^\n]*?(?<!`)\1(?!`)")
# Characters of the private use area, with a number between, stand for a code span while the prose around it is looked at.
_PRIVATE = re.compile("[\ue000\ue001]")
_PLACE = re.compile("\ue000(\\d+)\ue001")
_CITATIONS = re.compile(r"(?<![ \t])[ \t]*+(?:\[\d{1,4}(?:\s*[,;–-]\s*\d{1,4})*\])+")
_CITED = re.compile(r"\[\d+\]")
_RANGE = re.compile(r"(\d+)(?:\s*[–-]\s*(\d+))?")
_LONGEST_RANGE = 20
_NEW_BLOCK = re.compile(r"^\s*(?:[-*+][ ]|\d{1,3}[.)][ ]|>|#{1,6}[ ]|\|)")
_LEAD = re.compile(r"^\s*(?:(?:[-*+]|\d{1,3}[.)]|>)[ ]+)*")
_NOT_JUDGED = re.compile(r"^\s*+(?:#{1,6}[ ]|\||[-*_=\s]*+$)")
_SENTENCE = re.compile(
    r"""
    .+?
    (?: (?<!e\.g)(?<!i\.e)(?<!\bvs)(?<!\bcf)(?<!\bNo)
        (?<![.!?…:])[.!?…:]++ ["'”’)*_]*  # the end of a sentence
        (?: \s* \[\d+\] )*             # what is cited after its full stop belongs to it
        (?= \s+ [^a-z\s] | \s* \Z )
      | [。！？]+ (?: \s* \[\d+\] )*
      | \Z )
    """,
    re.VERBOSE | re.DOTALL,
)
_WORD = re.compile("[^\\W\\d_]|\ue000")


def check_answer(text: str, sent: int, known: str) -> CheckedText:
    """`sent` passages, numbered from 1; `known` is all of their text."""
    checker = _Checker(sent, known)
    checked = "\n".join(checker.check_block(block) for block in iter_blocks(_PRIVATE.sub("", text)))
    cited = tuple(dict.fromkeys(checker.cited))
    return CheckedText(checked.strip(), cited, tuple(dict.fromkeys(checker.invented)), checker.unsupported)


def drop_citations(text: str) -> str:
    """A checked text without its numbers, for who gets no list of sources."""
    blocks = (block if _FENCE.match(block) else _around_code(block, _drop) for block in iter_blocks(text))
    return "\n".join(blocks)


def iter_blocks(text: str) -> Iterator[str]:
    """The lines of a paragraph or a list item together, those of a fence together, blank ones each by itself."""
    block: list[str] = []
    fence = ""
    for line in text.strip().splitlines():
        marker = _FENCE.match(line)
        if fence:
            block.append(line)
            if marker and marker[1].startswith(fence):
                yield "\n".join(block)
                block, fence = [], ""
            continue
        if block and (marker or not line.strip() or _NEW_BLOCK.match(line)):
            yield "\n".join(block)
            block = []
        if marker:
            fence = marker[1]
        if line.strip():
            block.append(line)
        else:
            yield ""
    if block:
        yield "\n".join(block)


@dataclass(slots=True)
class _Checker:
    sent: int
    known: str
    cited: list[int] = field(default_factory=list)
    invented: list[int] = field(default_factory=list)
    unsupported: int = 0

    def check_block(self, block: str) -> str:
        if _FENCE.match(block):
            return block
        return _around_code(block, self._check_prose)

    def _check_prose(self, prose: str) -> str:
        prose = remove_foreign_links(prose, self.known)
        prose = _CITATIONS.sub(self._check_citations, prose)
        if _NOT_JUDGED.match(prose):
            return prose
        lead = _LEAD.match(prose)
        start = lead.end() if lead else 0
        return prose[:start] + _SENTENCE.sub(self._check_sentence, prose[start:])

    def _check_citations(self, match: re.Match[str]) -> str:
        """`[1, 3]` and `[1-3]` become `[1][3]` and `[1][2][3]`, of which those stay that were sent."""
        kept = ""
        for number in _iter_numbers(match[0]):
            if 1 <= number <= self.sent:
                self.cited.append(number)
                kept += f"[{number}]"
            else:
                self.invented.append(number)
        blank = match[0][: len(match[0]) - len(match[0].lstrip())]
        return blank + kept if kept else ""

    def _check_sentence(self, match: re.Match[str]) -> str:
        sentence = match[0].rstrip()
        if _CITED.search(sentence) or sentence.endswith(":") or not _WORD.search(sentence):
            return match[0]
        self.unsupported += 1
        return sentence + MARK + match[0][len(sentence) :]


def _drop(prose: str) -> str:
    return _CITATIONS.sub("", prose)


def _iter_numbers(listed: str) -> Iterator[int]:
    for match in _RANGE.finditer(listed):
        first, last = int(match[1]), int(match[2] or match[1])
        yield from range(first, last + 1) if first <= last < first + _LONGEST_RANGE else (first, last)


def _around_code(block: str, change: Callable[[str], str]) -> str:
    """The block with its prose changed and its code spans as they were."""
    spans: list[str] = []

    def take(match: re.Match[str]) -> str:
        spans.append(match[0])
        return f"\ue000{len(spans) - 1}\ue001"

    return _PLACE.sub(lambda match: spans[int(match[1])], change(_CODE_SPAN.sub(take, block)))
