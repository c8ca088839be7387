"""Finds words and names in the documents with a spelling close to a word that no section has."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from heapq import nlargest
from operator import itemgetter

from django.db import connection
from django.db.models import Sum
from rapidfuzz import fuzz
from rapidfuzz.distance import OSA

from collections_app.models import Collection, TermStatistic
from collections_app.search.terms.term import Corpus
from collections_app.text.analysis.folding import fold
from collections_app.text.analysis.identifiers import IDENTIFIER, split_identifiers
from collections_app.text.analysis.lexemes import TERM_PART, decode_term, split_name

MOST = 3
MIN_SIMILARITY = 75
# For this many stems, it is looked up how documents write the word.
COMPARED_SPELLINGS = 8
READ_SECTIONS = 10
READ_CHARACTERS = 20_000
MIN_STEM_CHARACTERS = 5
LONGEST_SUFFIX = 6
# The word is compared with the commonest terms of about its length that begin with the same letter. With more than FEW_SECTIONS sections,
# so many terms do that the rarer ones would not be among them; there they must begin with the same two letters.
MAX_COMPARED_TERMS = 5_000
FEW_SECTIONS = 20_000


def find_close_words(word: str, lexeme: str, corpus: Corpus, searched: Sequence[Collection]) -> tuple[str, ...]:
    """Words of these collections with a spelling close to this one, likeliest first, as their documents write them."""
    close = find_close_terms(lexeme, corpus, searched)
    return choose_close(word, find_written(word, close, searched).values() if close else ())


def choose_close(word: str, written: Iterable[str]) -> tuple[str, ...]:
    """The closest of these spellings, closest first, equals in the order given; only those of MIN_SIMILARITY, at most MOST."""
    scored = [(compare(word.lower(), each.lower()), each) for each in dict.fromkeys(written)]
    close = [pair for pair in scored if pair[0] >= MIN_SIMILARITY]
    return tuple(each for _, each in sorted(close, key=itemgetter(0), reverse=True)[:MOST])


def find_close_terms(lexeme: str, corpus: Corpus, searched: Sequence[Collection]) -> list[str]:
    """Terms of these collections with a spelling close to this lexeme, likeliest first."""
    if len(lexeme) < 3 or (decode_term(lexeme) != lexeme and not split_name(lexeme)):
        return []
    same_letters = 1 if corpus.sections <= FEW_SECTIONS else 2
    candidates = (
        TermStatistic.objects.in_collections(searched)
        .filter(sections__gt=0)
        # Not LIKE: it is not leakproof, so that under row-level security it could not use the index.
        .extra(
            where=["term ^@ %s", "length(term) BETWEEN %s AND %s"],
            params=[lexeme[:same_letters], max(3, len(lexeme) - LONGEST_SUFFIX), len(lexeme) + 3],
        )
        .values("term")
        .annotate(total=Sum("sections"))
        .order_by("-total", "term")
        .values_list("term", flat=True)[:MAX_COMPARED_TERMS]
    )
    scored = ((compare_stems(lexeme, term), term) for term in candidates)
    close = nlargest(COMPARED_SPELLINGS, (pair for pair in scored if pair[0] >= MIN_SIMILARITY), itemgetter(0))
    return [term for _, term in close]


def compare_stems(asked: str, term: str) -> float:
    """How alike a misspelt word and a term are, 0 to 100.

    A misspelt word is not stemmed and keeps its suffix, while the term has lost it; so the beginnings are compared too, and a plural
    without its `s`.
    """
    whole = compare(asked, term)
    if asked.endswith("s") and not term.endswith("s"):
        whole = max(whole, compare(asked[:-1], term))
    if len(term) < MIN_STEM_CHARACTERS or len(asked) <= len(term):
        return whole
    return max(whole, compare(asked[: len(term)], term))


def compare(asked: str, other: str) -> float:
    """How alike two spellings are, 0 to 100: the part of their letters that is in both, in order. Two swapped letters count as one surplus
    letter, not as a missing and a surplus one."""
    is_swapped = (
        len(asked) == len(other) and OSA.distance(asked, other, score_cutoff=1) == 1 and sorted(asked) == sorted(other)
    )
    return 100 * (1 - 1 / (2 * len(asked) + 1)) if is_swapped else fuzz.ratio(asked, other)


# Reads several of the sections that have a lexeme, as one may have another form of the word. Only words that begin like it are compared.
WRITTEN = """
SELECT lexeme, string_agg(text, ' ') FROM unnest(%(lexemes)s::text[]) WITH ORDINALITY AS asked (lexeme, number), LATERAL (
    SELECT concat_ws(
        ' ', document.title, document.path, array_to_string(section.heading_path, ' '), left(section.content, %(characters)s)
    ) AS text
    FROM collections_app_searchedvector AS indexed
    JOIN collections_app_section AS section ON section.id = indexed.section_id
    JOIN collections_app_document AS document ON document.id = indexed.document_id
    WHERE indexed.tenant_id = ANY(%(tenants)s) AND indexed.collection_id = ANY(%(collections)s)
        AND indexed.vector @@ quote_literal(lexeme)::tsquery
    LIMIT %(sections)s
) AS found
GROUP BY number, lexeme ORDER BY number
"""


def find_written(word: str, lexemes: Sequence[str], searched: Sequence[Collection]) -> dict[str, str]:
    """Lexeme → how a document writes it. The index knows only stems, which should not be suggested to people."""
    with connection.cursor() as cursor:
        cursor.execute(
            WRITTEN,
            {
                "lexemes": list(lexemes),
                "sections": READ_SECTIONS,
                "characters": READ_CHARACTERS,
                "tenants": list({collection.tenant_id for collection in searched}),
                "collections": [collection.pk for collection in searched],
            },
        )
        rows = cursor.fetchall()
    found = {lexeme: choose_written(word, lexeme, text) for lexeme, text in rows}
    return {lexeme: written for lexeme, written in found.items() if written}


def choose_written(word: str, lexeme: str, text: str) -> str | None:
    """The word of the text that begins like the lexeme and is most like the word; None if there is none.

    It is in lower case, unless `word` is in camel case (`openConnection`). If the lexeme has signs in it, so may the word.
    """
    found = (TERM_PART if lexeme.isalnum() else IDENTIFIER).findall(text)
    words = set(found) if split_identifiers(word) and word.isalnum() else {each.lower() for each in found}
    beginning = lexeme[: max(3, len(lexeme) - 1)]
    alike = [each for each in sorted(words) if fold(each).startswith(beginning)]
    return max(alike, key=lambda each: compare(word.lower(), each.lower()), default=None)
