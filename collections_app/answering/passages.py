"""Chooses the passages that a model gets from the hits: texts of their sections, within a budget, from several pages. It ranks nothing.

Each passage is a piece of its section's text as agents read it, so that quotations from it can be found there; a page's beginning follows
what only the page's description says.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import accumulate
from typing import Any, NamedTuple

from django.db import connection

from collections_app.answering.results import Passage
from collections_app.documents.word_search import find_stop_words
from collections_app.search.results import Hit
from collections_app.search.snippets import is_heading
from collections_app.text.analysis import TOLD_CHARACTERS
from collections_app.text.markdown.blank_lines import drop_filler_lines
from collections_app.text.markdown.code_blocks import blank_code
from collections_app.text.names.entries import find_entry
from collections_app.text.pages.descriptions import find_untold
from collections_app.text.passages.asked_entries import AskedEntries
from collections_app.text.passages.best_passage import (
    ASKING,
    blank_headings,
    find_beginning,
    find_telling,
    prefer_prose,
)
from collections_app.text.passages.question_words import QuestionWords, fold_in_place, list_words, make_question_words
from collections_app.text.tokens import estimate_tokens

CONTEXT_TOKENS = 4_000
PASSAGE_TOKENS = 900
MAX_PASSAGES = 8
PASSAGES_OF_A_PAGE = 3
# A shorter passage says too little.
MIN_TOKENS = 60
# Sections with less text of their own, such as a mere heading, are continued with their subsections.
SHORT_TOKENS = 150
MAX_CHARACTERS = 40_000
MAX_SUBSECTIONS = 12

# Positions are compared within one document. All its sections are of the same version, since documents are replaced as a whole.
ROWS = """
SELECT wanted.number, document.source_url, section.anchor, part.position, left(part.content, %(characters)s),
    CASE WHEN part.position = 0 THEN left(document.description, %(told)s) ELSE '' END
FROM unnest(%(documents)s::bigint[], %(sections)s::text[]) WITH ORDINALITY AS wanted (document_id, section_id, number)
JOIN collections_app_document AS document ON document.id = wanted.document_id
JOIN collections_app_section AS section
    ON section.tenant_id = document.tenant_id AND section.document_id = document.id AND section.section_id = wanted.section_id
JOIN collections_app_section AS part
    ON part.tenant_id = document.tenant_id AND part.document_id = document.id AND part.position >= section.position
    AND part.position < least(section.end_position, section.position + %(parts)s)
ORDER BY wanted.number, part.position
"""
_PARAGRAPH = re.compile(r".+?(?:\n[ \t]*\n\s*|\Z)", re.DOTALL)
_LINE = re.compile(r".*\n|.+\Z")
_SENTENCE = re.compile(r".+?(?:[.!?:]\s+|\Z)", re.DOTALL)


class Part(NamedTuple):
    """The own text of a section, or of one of its subsections. `description`: the document's, for its first section."""

    number: int
    source_url: str
    anchor: str
    position: int
    content: str
    description: str = ""

    @property
    def text(self) -> str:
        """The text without filler lines, with what only the description says before it."""
        untold, text = find_untold(self.description, self.content), drop_filler_lines(self.content)
        return f"{untold}\n\n{text}" if untold else text


def make_telling_words(question: str, languages: Iterable[str]) -> QuestionWords:
    """The question's words, without words of asking and the stop words of these languages."""
    words = list_words(question)
    return make_question_words(question, ASKING.union(*(find_stop_words(words, language) for language in languages)))


def choose_passages(words: QuestionWords, hits: Sequence[Hit]) -> tuple[Passage, ...]:
    """The passages, best first. A hit whose text is already in another passage is left out."""
    parts = group_parts(hits)
    left = CONTEXT_TOKENS
    pages: Counter[int] = Counter()
    used: set[tuple[int, int]] = set()
    passages: list[Passage] = []
    for number, hit in enumerate(hits, 1):
        own = take_parts(hit, parts.get(number, []), used)
        if not own or pages[hit.document_id] == PASSAGES_OF_A_PAGE:
            continue
        text = choose_window("".join(part.text for part in own), words, min(PASSAGE_TOKENS, left))
        passages.append(Passage(len(passages) + 1, hit, text, make_url(own[0])))
        used |= {(hit.document_id, part.position) for part in own}
        pages[hit.document_id] += 1
        left -= estimate_tokens(text)
        if left < MIN_TOKENS or len(passages) == MAX_PASSAGES:
            break
    return tuple(passages)


def group_parts(hits: Sequence[Hit]) -> dict[int, list[Part]]:
    """Rank of the hit → its parts. There are none if the document was replaced meanwhile and no longer has the section."""
    wanted: dict[str, Any] = {
        "documents": [hit.document_id for hit in hits],
        "sections": [hit.section_id for hit in hits],
        "characters": MAX_CHARACTERS,
        "told": TOLD_CHARACTERS,
        "parts": MAX_SUBSECTIONS,
    }
    grouped: dict[int, list[Part]] = {}
    with connection.cursor() as cursor:
        cursor.execute(ROWS, wanted)
        for row in cursor.fetchall():
            grouped.setdefault(row[0], []).append(Part(*row))
    return grouped


def take_parts(hit: Hit, parts: Iterable[Part], used: set[tuple[int, int]]) -> list[Part]:
    """The section's own text; where that is short, also its subsections', one after the other, until it is not."""
    taken: list[Part] = []
    tokens = 0
    for part in parts:
        if (hit.document_id, part.position) in used or (taken and tokens >= SHORT_TOKENS):
            break
        taken.append(part)
        tokens += estimate_tokens(part.content)
        if len(part.content) == MAX_CHARACTERS:  # the text goes on before the next one begins
            break
    return taken


def choose_window(text: str, words: QuestionWords, max_tokens: int) -> str:
    """Consecutive paragraphs that fit, from where the question's rarest words are together (text/passages/best_passage.py), and what
    comes before if it fits.

    If a paragraph is too long, these are lines from the one with most of the words; if a line is too long, sentences likewise; if a
    sentence is too long, its beginning.
    """
    for split, choose in (
        (split_paragraphs, choose_paragraph),
        (_LINE.findall, choose_piece),
        (_SENTENCE.findall, choose_piece),
    ):
        if estimate_tokens(text) <= max_tokens:
            return text
        pieces = split(text)
        best = choose(pieces, words, max_tokens)
        if estimate_tokens(pieces[best]) <= max_tokens:
            return take_around(pieces, best, max_tokens)
        text = pieces[best]
    return cut(text, max_tokens)


def choose_paragraph(paragraphs: Sequence[str], words: QuestionWords, max_tokens: int) -> int:
    """The number of the paragraph to begin with: the one with an entry that has a name of the question (AskedEntries), else where the
    question's rarest words are together; what leads in to these may take half of the room."""
    text = "".join(paragraphs)
    found = prefer_prose(text, words.find(fold_in_place(blank_headings(text))))
    at = find_telling(found)
    entry = AskedEntries(words.entries).find(text, found, at)
    ends = list(accumulate(map(len, paragraphs)))
    start = find_beginning(text, at, 2 * max_tokens) if entry is None else entry
    return min(bisect_right(ends, start), len(ends) - 1)


def choose_piece(pieces: Sequence[str], words: QuestionWords, max_tokens: int) -> int:
    """The number of the piece to begin with: an entry that has a name of the question, else the one with most of the words."""

    def weigh(number: int) -> tuple[bool, float, int]:
        piece = pieces[number]
        return find_entry(piece, words.entries) is not None, weigh_piece(piece, words), -number

    return max(range(len(pieces)), key=weigh)


def split_paragraphs(text: str) -> list[str]:
    """The paragraphs, each with the blank lines after it. Fenced code stays in one paragraph, with its blank lines."""
    return [text[found.start() : found.end()] for found in _PARAGRAPH.finditer(blank_code(text))]


def weigh_piece(piece: str, words: QuestionWords) -> float:
    """What the words in a piece are worth; −1 for a heading, which announces a text but says nothing itself."""
    return -1.0 if not piece.strip() or is_heading(piece) else words.weigh(piece)


def take_around(pieces: Sequence[str], best: int, max_tokens: int) -> str:
    """The best piece with as many pieces after it as fit, then as many before it.

    If there is no room for what a colon announces, such as code, its first lines are taken.
    """
    start, end = best, best + 1
    while end < len(pieces) and estimate_tokens("".join(pieces[start : end + 1])) <= max_tokens:
        end += 1
    announced = ""
    if end < len(pieces) and pieces[end - 1].rstrip().endswith(":"):
        announced = take_lines(pieces[end], max_tokens - estimate_tokens("".join(pieces[start:end])))
    while start and estimate_tokens("".join([*pieces[start - 1 : end], announced])) <= max_tokens:
        start -= 1
    return "".join([*pieces[start:end], announced])


def take_lines(text: str, max_tokens: int) -> str:
    taken = ""
    for line in _LINE.findall(text):
        if estimate_tokens(taken + line) > max_tokens:
            break
        taken += line
    return taken


def cut(text: str, max_tokens: int) -> str:
    """The beginning of the text, up to the end of a word."""
    longest = max_tokens * 4
    while estimate_tokens(text[:longest]) > max_tokens:
        longest = longest * 3 // 4
    return text[: text.rfind(" ", longest // 2, longest) + 1 or longest]


def make_url(part: Part) -> str:
    return f"{part.source_url}#{part.anchor}" if part.source_url and part.anchor else part.source_url
