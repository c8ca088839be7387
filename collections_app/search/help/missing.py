"""Finds the words of a question that no section has, the other collections that have them, and close spellings."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from collections_app.catalog.names import leave_out, name_collections
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
from collections_app.text.analysis.folding import fold, fold_accents
from collections_app.text.analysis.identifiers import encode_names, split_identifiers
from collections_app.text.analysis.lexemes import decode_term, split_name
from collections_app.text.analysis.unspaced import UNSPACED_RUN, encode_characters, list_telling_pairs

# If there are hits, each missing word is one line of the answer. In a larger library, looking for close spellings would take longer than
# the search itself.
MAX_MISSING = 3
MAX_SECTIONS_FOR_SPELLINGS = 200_000
# For a word with several missing parts, spellings are looked for only for this many, the longest first.
CORRECTED_PARTS = 2
MAX_VERSIONS = 1_000


def find_missing(scopes: Sequence[ScopedTerms], question: str) -> list[Term]:
    """The terms that no section has in any of the languages, in the question's order. Terms without a position are left out.

    So are pairs of unspaced characters if another pair of the same run is found: most such pairs are of two different words.
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
    """The question's names with underscores that no section has, even if their parts are known.

    Names whose parts some section has side by side are left out: `maxConnections` is another spelling of `max_connections`.
    """
    asked = UNDERSCORES.sub("_", fold(question))
    names = frozenset[str].intersection(*(scoped.missing_names for scoped in scopes)) if scopes else ()
    written = {name: decode_term(name) for name in sorted(names)}
    phrases = {name: each.replace("_", " ") for name, each in written.items() if each in asked}
    said = find_said(phrases.values(), scopes) if phrases else set()
    return [Term(name, 0, 0.0, 0.0) for name, phrase in phrases.items() if phrase not in said]


# The phrases that some section has, in its language. It counts all sections, for the planner's sake: see compounds.STANDING.
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
    *,
    is_spelled: bool,
) -> tuple[WordReport, ...]:
    """Reports on the first MAX_MISSING words with these terms, which no section has: where else they occur and, with `is_spelled`, close
    spellings.
    """
    words: dict[str, list[Term]] = {}
    for term in terms:
        words.setdefault(find_whole_word(question, term.lexeme), []).append(term)
    missing = dict(list(words.items())[:MAX_MISSING])
    elsewhere = count_elsewhere([own[0] for own in missing.values()], searched, visible)
    is_spelled &= corpus.sections <= MAX_SECTIONS_FOR_SPELLINGS
    return tuple(
        WordReport(
            word,
            0,
            tuple(elsewhere.get(own[0].lexeme, ())[:5]),
            correct(question, word, own, corpus, searched) if is_spelled else (),
        )
        for word, own in missing.items()
    )


def correct(
    question: str, word: str, missing: Sequence[Term], corpus: Corpus, searched: Sequence[Collection]
) -> tuple[str, ...]:
    """Close spellings of a word of the question.

    For a name with underscores these are other such names, likewise for words with other signs and for names in camel case
    (`openConnection`); for a version, others of its series. If there are none for a word like `port-foward`, where only a part is
    `missing`, it is the word with that part corrected; not if the result is one word to the index, since nobody wrote it. A compound of
    known words has none.
    """
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
    """Other versions of the same series that these collections have, nearest first, at most MOST."""
    series, _, last = version.rpartition(".")
    terms = TermStatistic.objects.in_collections(searched).filter(sections__gt=0)
    # Not LIKE, which would not use the index under row-level security.
    own = terms.extra(where=["term ^@ %s"], params=[f"{series}."]).values_list("term", flat=True).distinct()
    numbers = {term: term.rpartition(".")[2] for term in own[:MAX_VERSIONS] if term.rpartition(".")[0] == series}
    near = {term: abs(int(number) - int(last)) for term, number in numbers.items() if number.isdecimal()}
    return tuple(sorted(near, key=lambda term: (near[term], term))[:MOST])


def count_elsewhere(
    terms: Sequence[Term], searched: Sequence[Collection], visible: Sequence[Collection]
) -> dict[str, list[tuple[str, int]]]:
    """Lexeme → (name, sections) of each other visible collection that has it, most sections first."""
    others = leave_out(visible, searched)
    names = dict(zip((c.pk for c in others), name_collections(others, visible), strict=True))
    statistics = TermStatistic.objects.in_collections(others)
    rows = statistics.filter(term__in=[term.lexeme for term in terms], sections__gt=0)
    elsewhere: dict[str, list[tuple[str, int]]] = {}
    ordered = rows.order_by("-sections", "collection_id")
    for term, collection_id, sections in ordered.values_list("term", "collection_id", "sections"):
        elsewhere.setdefault(term, []).append((names[collection_id], sections))
    return elsewhere
