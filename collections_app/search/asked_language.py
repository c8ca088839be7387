"""In which language a question is, where the documents are in another: its stop words tell, which nobody has to be told of as missing."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from collections_app.postgres.prepared_cursor import write_text_array
from collections_app.search.time_limit import open_cursor
from collections_app.text.question_words import WORD

# Those that PostgreSQL has stop words of.
WITH_STOP_WORDS = (
    *(
        "danish",
        "dutch",
        "english",
        "finnish",
        "french",
        "german",
        "hungarian",
        "italian",
        "norwegian",
        "portuguese",
        "russian",
    ),
    *("spanish", "swedish", "turkish"),
)
# One or two may be words of code, or of any language (`die`, `to`).
FEWEST_STOP_WORDS = 3

STOPPED = """
SELECT language::text, array_agg(word) FROM unnest(%(languages)s::text[]::regconfig[]) AS language, unnest(%(words)s::text[]) AS word
WHERE to_tsvector(language, word) = '' GROUP BY language ORDER BY count(*) DESC, language::text
"""


class AskedLanguage(NamedTuple):
    """By the name that PostgreSQL has for it; of the question's words those that are its stop words, in lower case."""

    name: str
    stop_words: frozenset[str]


def find_asked_language(question: str, spoken: Collection[str]) -> AskedLanguage | None:
    """The language that a question has most stop words of, and more than of those that are `spoken` where it is put to; else None."""
    words = {word for word in WORD.findall(question.lower()) if word.isalpha()}
    if len(words) < FEWEST_STOP_WORDS:
        return None
    with open_cursor() as cursor:
        cursor.execute(STOPPED, {"languages": write_text_array(WITH_STOP_WORDS), "words": write_text_array(words)})
        found = {name: frozenset(own) for name, own in cursor.fetchall()}
    known = max((len(found.get(language, ())) for language in spoken), default=0)
    name, stop_words = next(iter(found.items()), ("", frozenset[str]()))
    is_told = len(stop_words) >= FEWEST_STOP_WORDS and len(stop_words) > known and name not in spoken
    return AskedLanguage(name, stop_words) if is_told else None
