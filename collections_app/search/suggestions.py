"""What to say when nothing was found: which words do occur, where, and which ones are spelled nearly so."""

from __future__ import annotations

from collections.abc import Sequence

from django.db.models import Sum
from rapidfuzz import fuzz, process

from collections_app.analysis import decode_term, fold_accents
from collections_app.models import Collection, TermStatistic
from collections_app.search.results import WordReport
from collections_app.search.terms import Term

MAX_WORDS = 8
# So many words are compared with what is known: each costs a look through the terms that begin like it.
MAX_UNKNOWN = 3
CLOSE_SPELLINGS = 3
MIN_SIMILARITY = 75
# Spellings are compared with terms that begin alike and are of about the same length.
MAX_COMPARED_TERMS = 5_000


def report_words(
    question: str, terms: Sequence[Term], searched: Sequence[Collection], visible: Sequence[Collection]
) -> tuple[WordReport, ...]:
    """For each term of a question its sections here, its sections in the other visible collections, and close spellings if it has none."""
    terms = terms[:MAX_WORDS]
    elsewhere = count_elsewhere(terms, [collection for collection in visible if collection not in searched])
    unknown = [term for term in terms if not term.sections][:MAX_UNKNOWN]
    return tuple(
        WordReport(
            find_word(question, term.lexeme),
            term.sections,
            tuple(elsewhere.get(term.lexeme, ())[:5]),
            find_close_terms(term.lexeme, searched) if term in unknown else (),
        )
        for term in terms
    )


def count_elsewhere(terms: Sequence[Term], others: Sequence[Collection]) -> dict[str, list[tuple[str, int]]]:
    """Lexeme → the other collections that have it, most sections first."""
    slugs = {collection.pk: collection.slug for collection in others}
    rows = TermStatistic.objects.filter(
        tenant_id__in={collection.tenant_id for collection in others},
        collection_id__in=slugs,
        term__in=[term.lexeme for term in terms],
        sections__gt=0,
    ).values_list("term", "collection_id", "sections")
    elsewhere: dict[str, list[tuple[str, int]]] = {}
    for term, collection_id, sections in sorted(rows, key=lambda row: -row[2]):
        elsewhere.setdefault(term, []).append((slugs[collection_id], sections))
    return elsewhere


def find_word(question: str, lexeme: str) -> str:
    """The word of the question that became this lexeme, as it was written; the lexeme itself where that cannot be told."""
    beginning = lexeme[: max(3, len(lexeme) - 2)]
    words = (word for word in question.split() if fold_accents(word).lower().startswith(beginning))
    return next(words, decode_term(lexeme))


def find_close_terms(lexeme: str, searched: Sequence[Collection]) -> tuple[str, ...]:
    """Terms of these collections that are spelled nearly like this one, likeliest first."""
    if len(lexeme) < 3 or decode_term(lexeme) != lexeme:
        return ()
    candidates = (
        TermStatistic.objects.filter(
            tenant_id__in={collection.tenant_id for collection in searched},
            collection_id__in=[collection.pk for collection in searched],
            term__startswith=lexeme[0],
            sections__gt=0,
        )
        .extra(where=["length(term) BETWEEN %s AND %s"], params=[len(lexeme) - 2, len(lexeme) + 3])
        .values("term")
        .annotate(total=Sum("sections"))
        .order_by("-total")
        .values_list("term", flat=True)[:MAX_COMPARED_TERMS]
    )
    found = process.extract(
        lexeme, list(candidates), scorer=fuzz.ratio, limit=CLOSE_SPELLINGS, score_cutoff=MIN_SIMILARITY
    )
    return tuple(match for match, _, _ in found)
