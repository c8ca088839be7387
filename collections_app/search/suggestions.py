"""What to say when nothing was found: which words do occur, where, and which ones are spelled nearly so."""

from __future__ import annotations

from collections.abc import Sequence

from django.db.models import Sum
from rapidfuzz import fuzz, process

from collections_app.analysis import decode_term
from collections_app.models import Collection, TermStatistic
from collections_app.search.fulltext import Term
from collections_app.search.results import WordReport

MAX_WORDS = 8
CLOSE_SPELLINGS = 3
MIN_SIMILARITY = 75
# Spellings are compared with terms that begin alike and are of about the same length.
MAX_COMPARED_TERMS = 5_000


def report_words(
    terms: Sequence[Term], searched: Sequence[Collection], visible: Sequence[Collection]
) -> tuple[WordReport, ...]:
    """For each term of a question its sections here, its sections in the other visible collections, and close spellings if it has none."""
    others = {collection.pk: collection for collection in visible if collection not in searched}
    terms = terms[:MAX_WORDS]
    elsewhere: dict[str, list[tuple[str, int]]] = {}
    rows = TermStatistic.objects.filter(
        tenant_id__in={collection.tenant_id for collection in others.values()},
        collection_id__in=others,
        term__in=[term.lexeme for term in terms],
        sections__gt=0,
    ).values_list("term", "collection_id", "sections")
    for term, collection_id, sections in sorted(rows, key=lambda row: -row[2]):
        elsewhere.setdefault(term, []).append((others[collection_id].slug, sections))
    return tuple(
        WordReport(
            decode_term(term.lexeme),
            term.sections,
            tuple(elsewhere.get(term.lexeme, ())[:5]),
            () if term.sections else find_close_terms(term.lexeme, searched),
        )
        for term in terms
    )


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
