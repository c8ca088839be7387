"""Detects by its stop words that a question is in another language than the documents; these words are then not reported as missing."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Set
from typing import NamedTuple

from collections_app.postgres.prepared_cursor import write_text_array
from collections_app.search.terms.asked_words import find_word
from collections_app.search.terms.term import Term
from collections_app.search.time_limit import open_cursor
from collections_app.text.passages.question_words import WORD

# The languages for which PostgreSQL has stop words.
WITH_STOP_WORDS = frozenset({
    "danish", "dutch", "english", "finnish", "french", "german", "hungarian", "italian", "norwegian", "portuguese", "russian",
    "spanish", "swedish", "turkish",
})  # fmt: skip
# One or two stop words may be words of code or of any language (`die`, `to`), unless no section has the two. A few among many words suggest
# a language that is not in the list.
FEWEST_STOP_WORDS = 3
FEWEST_MISSING = 2
STOP_WORDS_SHARE = 0.4
LEAD = 2
# These languages share most of their stop words.
NEIGHBOURS = frozenset({"danish", "norwegian", "swedish"})

STOPPED = """
SELECT language::text, array_agg(word) FROM unnest(%(languages)s::text[]::regconfig[]) AS language, unnest(%(words)s::text[]) AS word
WHERE to_tsvector(language, word) = '' GROUP BY language ORDER BY count(*) DESC, language::text
"""


class AskedLanguage(NamedTuple):
    """A language, by PostgreSQL's name for it, and the question's words that are its stop words, in lower case."""

    name: str
    stop_words: frozenset[str]

    def leave_out_stop_words(self, question: str, terms: Iterable[Term]) -> list[Term]:
        """The terms without those of stop words."""
        return [term for term in terms if find_word(question, term.lexeme).lower() not in self.stop_words]


def find_asked_language(question: str, spoken: Collection[str], missing: Set[str]) -> AskedLanguage | None:
    """The language of which a question has most stop words, and clearly more than of each of the documents' languages (`spoken`).

    None if there is no such language, or if one of the documents' languages has no stop words to compare with. Capitalised words are
    ignored, as names belong to no language. `missing`: the question's words, in lower case, that no section has.
    """
    words = {
        word.lower() for n, word in enumerate(WORD.findall(question)) if word.isalpha() and (n == 0 or word.islower())
    }
    compared = {language for language in spoken if language != "simple"}
    if len(words) < FEWEST_STOP_WORDS or not compared or not compared <= WITH_STOP_WORDS:
        return None
    with open_cursor() as cursor:
        values = {"languages": write_text_array(sorted(WITH_STOP_WORDS)), "words": write_text_array(words)}
        cursor.execute(STOPPED, values)
        found = {name: frozenset(own) for name, own in cursor.fetchall()}
    known = max(len(found.get(language, ())) for language in compared)
    name, stop_words = next(iter(found.items()), ("", frozenset[str]()))
    are_missing = len(stop_words & missing) >= FEWEST_MISSING
    fewest = max(FEWEST_MISSING if are_missing else FEWEST_STOP_WORDS, known + LEAD, STOP_WORDS_SHARE * len(words))
    are_neighbours = name in NEIGHBOURS and not NEIGHBOURS.isdisjoint(compared)
    return AskedLanguage(name, stop_words) if len(stop_words) >= fewest and not are_neighbours else None
