"""Maps a lexeme back to the word of the question that it came from, as the person wrote it. PURE."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from rapidfuzz.distance import Prefix

from collections_app.search.phrases import list_words
from collections_app.search.terms.names import is_stem
from collections_app.search.terms.term import Term
from collections_app.text.analysis.folding import fold, fold_accents
from collections_app.text.analysis.identifiers import split_identifiers
from collections_app.text.analysis.lexemes import TERM_PART, decode_term
from collections_app.text.analysis.unspaced import UNSPACED_RUN
from collections_app.text.passages.question_words import PUNCTUATION, fold_in_place, iter_positions

UNDERSCORES = re.compile("_+")
# A stem is at most this much shorter than its word (`running`).
ENDING_CHARACTERS = 4


def find_word(question: str, lexeme: str) -> str:
    """The word of the question that became this lexeme, as written; the decoded lexeme if none is like it."""
    words = list_folded(question)
    if whole := [word for word, folded in words if folded.startswith(lexeme)]:
        return min(whole, key=len)  # of `configuration configs` the second became config
    stem = lexeme[: max(3, len(lexeme) - 2)]
    like_it = [(word, folded) for word, folded in words if folded.startswith(stem)]
    nearest = max(like_it, key=lambda each: Prefix.similarity(each[1], lexeme), default=None)
    return nearest[0] if nearest else decode_term(lexeme)


@lru_cache(maxsize=32)
def list_folded(question: str) -> list[tuple[str, str]]:
    """The question's words and parts of words, each with what it is folded to. Remembered, since each lexeme is looked for."""
    words = (word.strip(PUNCTUATION) for word in question.split())
    return [(word, fold(word)) for word in (*words, *split_identifiers(question), *TERM_PART.findall(question))]


def find_whole_word(question: str, lexeme: str) -> str:
    """The text between blanks in the question that this lexeme is a part of: for a part of `E_WIDGET_9999`, all of it."""
    word = find_word(question, lexeme)
    folded = fold(word)
    tokens = (token.strip(f"{PUNCTUATION}-") for token in question.split())
    has_it = [token for token in tokens if has_part(UNDERSCORES.sub("_", token), word)]
    whole = (token for token in has_it if fold(token) == folded)
    return next(whole, has_it[0] if has_it else word)


def has_part(token: str, part: str) -> bool:
    """Whether the part occurs in the token where a word may begin: after a sign or a digit, or at a capital after a small letter.

    `conn` is no part of `reconnect`.
    """
    return any(True for _ in find_part_starts(token, part))


def find_part_starts(token: str, part: str) -> Iterator[int]:
    return (at for at in iter_positions(fold_in_place(token), fold_in_place(part)) if is_boundary(token, at))


def replace_part(text: str, part: str, other: str) -> str:
    """The text with the part replaced, preferably where it is a whole word; with a capital if the text has one there.

    Unchanged if no word begins with the part: in `openCon` the second word is `Con`, but `opencon` is a single word.
    """
    starts = list(find_part_starts(text, part))
    whole = (at for at in starts if at + len(part) == len(text) or is_boundary(text, at + len(part)))
    at = next(whole, starts[0] if starts else None)
    if at is None:
        return text
    return text[:at] + (other.capitalize() if text[at].isupper() else other) + text[at + len(part) :]


def is_boundary(text: str, at: int) -> bool:
    before, begins, after = text[at - 1 : at], text[at], text[at + 1 : at + 2]
    if begins.isupper():
        return not before.isupper() or after.islower()
    return not (before.isalpha() and begins.islower())


def find_run(question: str, lexeme: str) -> str:
    """The run of unspaced characters in the question that has this pair; empty for other lexemes."""
    pair = decode_term(lexeme)
    runs = UNSPACED_RUN.findall(fold_accents(question)) if UNSPACED_RUN.fullmatch(pair) else ()
    return next((run for run in runs if pair in run), "")


def find_part(question: str, term: Term, terms: Iterable[Term]) -> str:
    """The part of a compound in the question that became this term, folded: `spalte` of `Datenbankspalte`; empty for other terms."""
    whole = next((each for each in terms if term.lexeme in each.parts), None)
    if whole is None or term.positions:
        return ""
    first, last = whole.parts
    word = fold(find_word(question, whole.lexeme))
    start = max(word.rfind(last), len(first))
    return word[start:] if term.lexeme == last else word[:start]


def find_phrase_terms(phrases: Sequence[str], terms: Sequence[Term]) -> list[Term]:
    """The terms that are words of the phrases, judging by their beginnings."""
    words = {word for phrase in phrases for word in list_words(phrase)}
    return [term for term in terms if any(may_be_of(term.lexeme, word) for word in words)]


def may_be_of(lexeme: str, word: str) -> bool:
    """Whether a lexeme may be the stem of a word: those that is_stem() knows, and short ones: `key` of `keys`, `run` of `running`."""
    is_cut = len(lexeme) > 1 and len(word) - len(lexeme) <= ENDING_CHARACTERS
    return is_stem(lexeme, word) or (is_cut and word.startswith(lexeme))
