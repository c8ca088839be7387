"""Checks the citations in a model's answer against the passages that it was given. PURE.

Citations of passages that were not sent are removed; the others are written as `[1]`, whatever form the model used. Sentences without a
citation are marked, except code, headings, tables, and sentences that end with a colon. It is not checked whether a passage really says
what the sentence says.
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
# Characters of the private use area with a number between them replace a code span while the prose around it is checked; another one
# replaces the bracket of a subscript.
_PRIVATE = re.compile("[\ue000-\ue002]")
_SUBSCRIPT = "\ue002"
_PLACE = re.compile("\ue000(\\d+)\ue001")
_CITATIONS = re.compile(r"(?<![ \t])[ \t]*+(?:\[\d{1,4}(?:\s*[,;–-]\s*\d{1,4})*\])+")
_CITED = re.compile(r"\[\d+\]")
# Other forms: 【1】, [Source 1], (passages 1 and 2), [^1], \[1\], and the marker that the passage stood in.
_WORD_BEFORE = (
    r"(?:(?:source|passage|document|doc|reference|ref|citation)s?(?:-[0-9a-f]{16})?\.?\s?(?:no\.?|number)?\s?[:#]?\s?)"
)
_NUMBERS = rf"\d{{1,4}}(?>\s?(?:,\s?and|,|;|–|-|and|&)\s?{_WORD_BEFORE}?\d{{1,4}})*+"
_OTHER_FORM = re.compile(
    rf"""
    \[\s?(?:{_WORD_BEFORE}|[\^#])(?P<worded>{_NUMBERS})\s?\]
    | \((?:see\s)?{_WORD_BEFORE}(?P<round>{_NUMBERS})\)
    | [【［]\s?{_WORD_BEFORE}?(?P<wide>{_NUMBERS})(?::\d{{1,4}})?(?:†[^】］\n]{{0,100}}+)?\s?[】］]
    | \\\[(?P<escaped>{_NUMBERS})\\\]
    | </?passage-[0-9a-f]{{16}}[ ](?P<marker>\d{{1,4}})>
    """,
    re.VERBOSE | re.IGNORECASE,
)
# A number in brackets right after this may still be a citation: a word of prose, not an identifier or a call.
_TOKEN = re.compile(r"\S{0,60}\Z")
_PROSE_WORD = r"(?>[a-z]++|[A-Z][a-z]++|[A-Z]{2,}+s?+|\d[\d.,]*+)"
_PROSE = re.compile(rf"[\"'(“‘*]*+{_PROSE_WORD}(?:[-/'’]{_PROSE_WORD})*+[\"')”’*]*+")
_CLAUSE_END = re.compile(r"[.,;:!?…\"')”’*]+(?:\s|\Z)|\s+[^a-z\s]|\s*\Z")
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
    """The checked answer. `sent`: how many passages were sent (numbered from 1); `known`: all of their text."""
    checker = _Checker(sent, known)
    checked = "\n".join(checker.check_block(block) for block in iter_blocks(_PRIVATE.sub("", text)))
    cited = tuple(dict.fromkeys(checker.cited))
    return CheckedText(checked.strip(), cited, tuple(dict.fromkeys(checker.invented)), checker.unsupported)


def drop_citations(text: str) -> str:
    """A checked text without citation numbers, for callers that get no list of sources."""
    blocks = (block if _FENCE.match(block) else _around_code(block, _drop) for block in iter_blocks(text))
    return "\n".join(blocks)


def iter_blocks(text: str) -> Iterator[str]:
    """The text in blocks: a paragraph, a list item or fenced code each as one, and each blank line by itself."""
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
        prose = remove_foreign_links(_OTHER_FORM.sub(_write_plainly, prose), self.known)
        prose = _CITATIONS.sub(self._check_citations, prose)
        if not _NOT_JUDGED.match(prose):
            lead = _LEAD.match(prose)
            start = lead.end() if lead else 0
            prose = prose[:start] + _SENTENCE.sub(self._check_sentence, prose[start:])
        return prose.replace(_SUBSCRIPT, "[")

    def _check_citations(self, match: re.Match[str]) -> str:
        """`[1, 3]` becomes `[1][3]` and `[1-3]` becomes `[1][2][3]`, separated from the word before; only passages that were sent stay."""
        if _is_subscript(match, self.known):
            return match[0].replace("[", _SUBSCRIPT)
        kept = ""
        for number in _iter_numbers(match[0]):
            if 1 <= number <= self.sent:
                self.cited.append(number)
                kept += f"[{number}]"
            else:
                self.invented.append(number)
        blank = " " if _is_glued(match) else match[0][: len(match[0]) - len(match[0].lstrip())]
        return blank + kept if kept else ""

    def _check_sentence(self, match: re.Match[str]) -> str:
        sentence = match[0].rstrip()
        if _CITED.search(sentence) or sentence.endswith(":") or not _WORD.search(sentence):
            return match[0]
        self.unsupported += 1
        return sentence + MARK + match[0][len(sentence) :]


def _drop(prose: str) -> str:
    """Drop the citations of a checked text, in which only subscripts come right after a word."""
    return _CITATIONS.sub(lambda match: match[0] if _is_glued(match) else "", prose)


def _write_plainly(match: re.Match[str]) -> str:
    """Rewrite another form of citation as `[1, 2]`, separated from the word before it."""
    numbers = ", ".join(
        f"{first}-{last}" if last else first for first, last in _RANGE.findall(match[match.lastgroup or 0])
    )
    return f"{' ' if _is_glued(match) else ''}[{numbers}]"


def _is_glued(match: re.Match[str]) -> bool:
    """Whether it comes right after a word, an identifier or a bracket."""
    before = match.string[match.start() - 1 : match.start()] if match[0][0] not in " \t" else ""
    return before.isascii() and (before.isalnum() or before in ("_", "$", ")", "]"))


def _is_subscript(match: re.Match[str], known: str) -> bool:
    """Whether it is not a citation but a subscript, as in `argv[1]`, judging by what is around it and by the passages."""
    if not _is_glued(match):
        return False
    text, end = match.string, match.end()
    token = _TOKEN.search(text, max(0, match.start() - 60), match.start())
    word = token[0] if token else ""
    is_prose = len(word) > 1 and _PROSE.fullmatch(word) and _CLAUSE_END.match(text, end)
    return not is_prose or f"{word}{match[0]}" in known


def _iter_numbers(listed: str) -> Iterator[int]:
    for match in _RANGE.finditer(listed):
        first, last = int(match[1]), int(match[2] or match[1])
        yield from range(first, last + 1) if first <= last < first + _LONGEST_RANGE else (first, last)


def _around_code(block: str, change: Callable[[str], str]) -> str:
    """The block with `change` applied to its prose, but not to its code spans."""
    spans: list[str] = []

    def take(match: re.Match[str]) -> str:
        spans.append(match[0])
        return f"\ue000{len(spans) - 1}\ue001"

    return _PLACE.sub(lambda match: spans[int(match[1])], change(_CODE_SPAN.sub(take, block)))
