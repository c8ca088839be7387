"""The words of a question that no section has: which they are, in which other collections they occur, and how they may be meant."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from collections_app.catalog import leave_out, name_collections
from collections_app.models import Collection, TermStatistic
from collections_app.postgres.prepared_cursor import write_text_array
from collections_app.search.help.close_words import MOST, choose_close, find_close_terms, find_close_words
from collections_app.search.results import WordReport
from collections_app.search.scope import SCOPES, write_scopes
from collections_app.search.terms.asked_words import UNDERSCORES, find_whole_word, find_word, has_part, replace_part
from collections_app.search.terms.names import IS_VERSION
from collections_app.search.terms.statistics import ScopedTerms
from collections_app.search.terms.term import Corpus, Term
from collections_app.search.time_limit import open_cursor
from collections_app.text.analysis import (
    UNSPACED_RUN,
    decode_term,
    encode_characters,
    encode_names,
    fold,
    fold_accents,
    list_telling_pairs,
    split_identifiers,
    split_name,
)

# Where something was found, a word that is nowhere is one line of the answer. In a larger library to look for close spellings takes longer
# than the search.
MAX_MISSING = 3
MAX_SECTIONS_FOR_SPELLINGS = 200_000
# Of a word of several parts that are nowhere, so many are looked for, the longest first.
CORRECTED_PARTS = 2
MAX_VERSIONS = 1_000


def find_missing(scopes: Sequence[ScopedTerms], question: str) -> list[Term]:
    """The terms that no section has in any of the languages, in the question's order. What has no place in it, as a beginning, is none.

    Nor are pairs of unspaced characters where another pair of the same run is found: most are of two words that nobody wrote side by side.
    """
    terms = [term for scoped in scopes for term in scoped.terms if term.positions]
    found = {place for term in terms if term.sections for place in term.positions}
    lexemes = {term.lexeme for term in terms if term.sections}
    runs = [
        list(map(encode_characters, list_telling_pairs(run))) for run in UNSPACED_RUN.findall(fold_accents(question))
    ]
    told = {pair for pairs in runs if not lexemes.isdisjoint(pairs) for pair in pairs}
    missing = (term for term in terms if found.isdisjoint(term.positions) and term.lexeme not in told)
    return sorted(missing, key=lambda term: term.positions)


def find_missing_names(scopes: Sequence[ScopedTerms], question: str) -> list[Term]:
    """The names with underscores that are written in the question and that no section has, nor their parts side by side (`maxConnections`
    is another way to write `max_connections`). Their parts may all be known."""
    asked = UNDERSCORES.sub("_", fold(question))
    names = frozenset[str].intersection(*(scoped.missing_names for scoped in scopes)) if scopes else ()
    written = {name: decode_term(name) for name in sorted(names)}
    phrases = {name: each.replace("_", " ") for name, each in written.items() if each in asked}
    said = find_said(phrases.values(), scopes) if phrases else set()
    return [Term(name, 0, 0.0, 0.0) for name, phrase in phrases.items() if phrase not in said]


# Which phrases some section has, in its language. Counted to the end: see compounds.STANDING.
SAID = f"""
SELECT DISTINCT phrase FROM unnest(%(phrases)s::text[]) AS phrase, {SCOPES}
WHERE (
    SELECT count(*) FROM collections_app_searchedvector
    WHERE tenant_id = ANY(%(tenants)s::bigint[]) AND collection_id = ANY(scope.collections)
        AND vector @@ phraseto_tsquery(language, phrase)
) > 0
"""  # noqa: S608


def find_said(phrases: Iterable[str], scopes: Sequence[ScopedTerms]) -> set[str]:
    with open_cursor() as cursor:
        cursor.execute(SAID, {"phrases": write_text_array(phrases), **write_scopes([each.scope for each in scopes])})
        return {phrase for (phrase,) in cursor.fetchall()}


def report_missing(
    question: str,
    terms: Sequence[Term],
    corpus: Corpus,
    searched: Sequence[Collection],
    visible: Sequence[Collection],
) -> tuple[WordReport, ...]:
    """The first words of a question that have these terms, which no section has: where else they occur, and close spellings."""
    words: dict[str, list[Term]] = {}
    for term in terms:
        words.setdefault(find_whole_word(question, term.lexeme), []).append(term)
    missing = dict(list(words.items())[:MAX_MISSING])
    elsewhere = count_elsewhere([own[0] for own in missing.values()], searched, visible)
    return tuple(
        WordReport(
            word,
            0,
            tuple(elsewhere.get(own[0].lexeme, ())[:5]),
            correct(question, word, own, corpus, searched) if corpus.sections <= MAX_SECTIONS_FOR_SPELLINGS else (),
        )
        for word, own in missing.items()
    )


def correct(
    question: str, word: str, missing: Sequence[Term], corpus: Corpus, searched: Sequence[Collection]
) -> tuple[str, ...]:
    """Close spellings of a word of the question: names with underscores for such a one, others with signs for one that has these, names
    in several (`openConnection`) for such a one. Where there are none, of `port-foward`, of which a part is `missing`, the word with this
    part as documents write it; but none that is one word to the index, as nobody wrote it. None for a compound of words that are
    known. Of a version others of its series."""
    if names := encode_names(word):
        known = find_close_terms(names[0].lower(), corpus, searched)
        return choose_close(word, [decode_term(term) for term in known if split_name(term)])
    whole = max((term.lexeme for term in missing), key=len)
    if not whole.isalnum():
        if IS_VERSION.fullmatch(whole):
            return find_near_versions(whole, searched)
        close = find_close_words(word.strip("-"), whole, corpus, searched)
        if named := tuple(each for each in close if not each.isalnum()):
            return named
    if whole.isalnum() and split_identifiers(word):
        return find_close_words(word, whole, corpus, searched)
    parts = {find_word(question, term.lexeme): term for term in missing if not term.parts}
    if len(parts) > 1:
        parts.pop(word, None)
    for part, term in sorted(parts.items(), key=lambda each: -len(each[0]))[:CORRECTED_PARTS]:
        if part.isalpha() and has_part(word, part) and (close := find_close_words(part, term.lexeme, corpus, searched)):
            return tuple(replace_part(word, part, each) for each in close)
    return ()


def find_near_versions(version: str, searched: Sequence[Collection]) -> tuple[str, ...]:
    """Others of its series that these collections have, nearest first."""
    series, _, last = version.rpartition(".")
    terms = TermStatistic.objects.in_collections(searched).filter(sections__gt=0)
    # LIKE would find no index behind a policy.
    own = terms.extra(where=["term ^@ %s"], params=[f"{series}."]).values_list("term", flat=True).distinct()
    numbers = {term: term.rpartition(".")[2] for term in own[:MAX_VERSIONS] if term.rpartition(".")[0] == series}
    near = {term: abs(int(number) - int(last)) for term, number in numbers.items() if number.isdecimal()}
    return tuple(sorted(near, key=lambda term: (near[term], term))[:MOST])


def count_elsewhere(
    terms: Sequence[Term], searched: Sequence[Collection], visible: Sequence[Collection]
) -> dict[str, list[tuple[str, int]]]:
    """Lexeme → the other collections that have it, by name, most sections first."""
    others = leave_out(visible, searched)
    names = dict(zip((c.pk for c in others), name_collections(others, visible), strict=True))
    statistics = TermStatistic.objects.in_collections(others)
    rows = statistics.filter(term__in=[term.lexeme for term in terms], sections__gt=0)
    elsewhere: dict[str, list[tuple[str, int]]] = {}
    ordered = rows.order_by("-sections", "collection_id")
    for term, collection_id, sections in ordered.values_list("term", "collection_id", "sections"):
        elsewhere.setdefault(term, []).append((names[collection_id], sections))
    return elsewhere
