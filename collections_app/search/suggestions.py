"""What to say when nothing was found, or not all: which words do occur, where, and which ones are spelled nearly so."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from heapq import nlargest
from itertools import chain
from operator import itemgetter

from django.db import connection
from django.db.models import Sum
from rapidfuzz import fuzz
from rapidfuzz.distance import OSA

from collections_app.catalog import name_collections
from collections_app.documents import find_close_paths
from collections_app.models import Collection, TermStatistic
from collections_app.postgres.prepared_cursor import write_text_array
from collections_app.search.question_words import PUNCTUATION, fold_in_place, iter_positions
from collections_app.search.results import WordReport
from collections_app.search.scope import SCOPES, write_scopes
from collections_app.search.terms import Corpus, ScopedTerms, Term
from collections_app.search.time_limit import open_cursor
from collections_app.text.analysis import (
    IDENTIFIER,
    UNSPACED_RUN,
    decode_term,
    encode_characters,
    encode_names,
    fold_accents,
    list_telling_pairs,
    split_identifiers,
    split_name,
)

MAX_WORDS = 8
# So many words are compared with what is known: each costs a look through the terms that begin like it.
MAX_UNKNOWN = 3
CLOSE_SPELLINGS = 3
MIN_SIMILARITY = 75
# Of a word of several parts that are nowhere, so many are looked for, the longest first.
CORRECTED_PARTS = 2
# So many stems are looked up for how they are written.
COMPARED_SPELLINGS = 8
MIN_STEM_CHARACTERS = 5
LONGEST_SUFFIX = 6
CLOSE_PAGES = 3
MAX_PATH_LIKE_CHARACTERS = 80
# Where something was found, a word that is nowhere is one line of the answer. In a larger library to look for close spellings takes longer
# than the search.
MAX_MISSING = 3
MANY_SECTIONS = 200_000
WORD = re.compile(r"[^\W_]+")
UNDERSCORES = re.compile("_+")
# Spellings are compared with the commonest terms that begin with the same letter and are of about the same length. With more sections than
# these, so many have that letter that the rarer ones would not be among them: there it is the same two.
MAX_COMPARED_TERMS = 5_000
FEW_SECTIONS = 20_000


def report_words(
    question: str,
    terms: Sequence[Term],
    corpus: Corpus,
    searched: Sequence[Collection],
    visible: Sequence[Collection],
) -> tuple[WordReport, ...]:
    """For each word of a question its sections here, its sections in the other visible collections, and close spellings if it has none.

    Collections of several languages may have several terms for a word. Pairs of unspaced characters that are nowhere are no words: their
    run is told.
    """
    words: dict[str, list[Term]] = {}
    for term in terms:
        run = "" if term.sections else find_run(question, term.lexeme)
        words.setdefault(run or find_part(question, term, terms) or find_word(question, term.lexeme), []).append(term)
    words = dict(list(words.items())[:MAX_WORDS])
    elsewhere = count_elsewhere([term for own in words.values() for term in own], searched, visible)
    unknown = [word for word, own in words.items() if not any(term.sections for term in own)][:MAX_UNKNOWN]
    return tuple(
        WordReport(
            word,
            sum(term.sections for term in own),
            join_counts(elsewhere.get(term.lexeme, ()) for term in own)[:5],
            find_close_words(word, own[0].lexeme, corpus, searched) if word in unknown else (),
        )
        for word, own in words.items()
    )


def join_counts(lists: Iterable[Iterable[tuple[str, int]]]) -> tuple[tuple[str, int], ...]:
    """Each collection once, most sections first; a collection has the terms of one language, and others by chance."""
    most: dict[str, int] = {}
    for name, sections in chain.from_iterable(lists):
        most[name] = max(sections, most.get(name, 0))
    return tuple(sorted(most.items(), key=itemgetter(1), reverse=True))


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
            correct(question, word, own, corpus, searched) if corpus.sections <= MANY_SECTIONS else (),
        )
        for word, own in missing.items()
    )


def correct(
    question: str, word: str, missing: Sequence[Term], corpus: Corpus, searched: Sequence[Collection]
) -> tuple[str, ...]:
    """Close spellings of a word of the question: names with underscores for such a one, others with signs for one that has these. Where
    there are none, of `port-foward`, of which a part is `missing`, the word with this part as documents write it. None for a compound
    of words that are known."""
    if names := encode_names(word):
        known = find_close_terms(names[0].lower(), corpus, searched)
        return choose_close(word, [decode_term(term) for term in known if split_name(term)])
    whole = max((term.lexeme for term in missing), key=len)
    if not whole.isalnum():
        close = find_close_words(word.strip("-"), whole, corpus, searched)
        if named := tuple(each for each in close if not each.isalnum()):
            return named
    parts = {find_word(question, term.lexeme): term for term in missing if not term.parts}
    if len(parts) > 1:
        parts.pop(word, None)
    for part, term in sorted(parts.items(), key=lambda each: -len(each[0]))[:CORRECTED_PARTS]:
        if part.isalpha() and has_part(word, part) and (close := find_close_words(part, term.lexeme, corpus, searched)):
            return tuple(replace_part(word, part, each) for each in close)
    return ()


def replace_part(word: str, part: str, other: str) -> str:
    """Where the part begins in the word, with a capital where it has one: `openCon` is made of two words, `opencon` is not."""
    at = next(find_part_starts(word, part))
    return word[:at] + (other.capitalize() if word[at].isupper() else other) + word[at + len(part) :]


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
    asked = UNDERSCORES.sub("_", fold_accents(question).lower())
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


def find_whole_word(question: str, lexeme: str) -> str:
    """What stands between blanks in the question and has this lexeme for a part: of `E_WIDGET_9999` no part is told without the others."""
    word = find_word(question, lexeme)
    folded = fold_accents(word).lower()
    tokens = (token.strip(f"{PUNCTUATION}-") for token in question.split())
    has_it = [token for token in tokens if has_part(UNDERSCORES.sub("_", token), folded)]
    whole = (token for token in has_it if fold_accents(token).lower() == folded)
    return next(whole, has_it[0] if has_it else word)


def has_part(token: str, part: str) -> bool:
    """Whether the part begins somewhere in the token where a word may begin: behind a sign, a digit or a small letter before a
    capital. `conn` is no part of `reconnect`."""
    return any(True for _ in find_part_starts(token, part))


def find_part_starts(token: str, part: str) -> Iterator[int]:
    folded = fold_accents(part).lower()
    return (at for at in iter_positions(fold_in_place(token), folded) if is_boundary(token, at))


def is_boundary(text: str, at: int) -> bool:
    before, begins, after = text[at - 1 : at], text[at], text[at + 1 : at + 2]
    if begins.isupper():
        return not before.isupper() or after.islower()
    return not (before.isalpha() and begins.islower())


def count_elsewhere(
    terms: Sequence[Term], searched: Sequence[Collection], visible: Sequence[Collection]
) -> dict[str, list[tuple[str, int]]]:
    """Lexeme → the other collections that have it, by name, most sections first."""
    known = {collection.id for collection in searched}
    others = [collection for collection in visible if collection.id not in known]
    names = dict(zip((c.pk for c in others), name_collections(others, visible), strict=True))
    statistics = TermStatistic.objects.in_collections(others)
    rows = statistics.filter(term__in=[term.lexeme for term in terms], sections__gt=0)
    elsewhere: dict[str, list[tuple[str, int]]] = {}
    ordered = rows.order_by("-sections", "collection_id")
    for term, collection_id, sections in ordered.values_list("term", "collection_id", "sections"):
        elsewhere.setdefault(term, []).append((names[collection_id], sections))
    return elsewhere


def find_word(question: str, lexeme: str) -> str:
    """The word of the question that became this lexeme, as it was written; the lexeme itself where that cannot be told."""
    words: list[str] = [
        *(word.strip(PUNCTUATION) for word in question.split()),
        *split_identifiers(question),
        *WORD.findall(question),
    ]
    for beginning in (lexeme, lexeme[: max(3, len(lexeme) - 2)]):
        if found := [word for word in words if fold_accents(word).lower().startswith(beginning)]:
            # Of `postgresql postgres` the second became postgr.
            return min(found, key=len)
    return decode_term(lexeme)


def find_run(question: str, lexeme: str) -> str:
    """The run of unspaced characters in the question that a pair of them is of; empty for other lexemes."""
    pair = decode_term(lexeme)
    runs = UNSPACED_RUN.findall(fold_accents(question)) if UNSPACED_RUN.fullmatch(pair) else ()
    return next((run for run in runs if pair in run), "")


def find_part(question: str, term: Term, terms: Iterable[Term]) -> str:
    """Of a word of the question that was split, what became this term, folded: `spalte` of `Datenbankspalte`; empty where it is no part."""
    whole = next((each for each in terms if term.lexeme in each.parts), None)
    if whole is None or term.positions:
        return ""
    first, last = whole.parts
    word = fold_accents(find_word(question, whole.lexeme)).lower()
    start = max(word.rfind(last), len(first))
    return word[start:] if term.lexeme == last else word[:start]


def find_close_words(word: str, lexeme: str, corpus: Corpus, searched: Sequence[Collection]) -> tuple[str, ...]:
    """Words of these collections that are spelled nearly like this one, likeliest first, as their documents write them."""
    close = find_close_terms(lexeme, corpus, searched)
    return choose_close(word, find_written(word, close, searched).values() if close else ())


def choose_close(word: str, written: Iterable[str]) -> tuple[str, ...]:
    """The nearest of these; the first of equals."""
    scored = [(compare(word.lower(), each), each) for each in dict.fromkeys(written)]
    close = [pair for pair in scored if pair[0] >= MIN_SIMILARITY]
    return tuple(each for _, each in sorted(close, key=itemgetter(0), reverse=True)[:CLOSE_SPELLINGS])


def find_close_terms(lexeme: str, corpus: Corpus, searched: Sequence[Collection]) -> list[str]:
    """Terms of these collections that are spelled nearly like this one, likeliest first."""
    if len(lexeme) < 3 or (decode_term(lexeme) != lexeme and not split_name(lexeme)):
        return []
    same_letters = 1 if corpus.sections <= FEW_SECTIONS else 2
    candidates = (
        TermStatistic.objects.in_collections(searched)
        .filter(sections__gt=0)
        # LIKE would find no index behind a policy: PostgreSQL does not trust it to keep to itself what it looks at.
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
    """How alike they are, 0 to 100. A word that is misspelt keeps its suffix, which a stem has lost: then the beginnings count."""
    whole = compare(asked, term)
    if len(term) < MIN_STEM_CHARACTERS or len(asked) - len(term) < 2:
        return whole
    return max(whole, compare(asked[: len(term)], term))


def compare(asked: str, other: str) -> float:
    """How alike two spellings are, 0 to 100: what part of their letters is in both in order. Two letters in the wrong order count as one
    that is too many, not as one that is missing and another too many."""
    is_swapped = (
        len(asked) == len(other) and OSA.distance(asked, other, score_cutoff=1) == 1 and sorted(asked) == sorted(other)
    )
    return 100 * (1 - 1 / (2 * len(asked))) if is_swapped else fuzz.ratio(asked, other)


# Of the sections that have a lexeme, one; what is compared begins like the word.
WRITTEN = """
SELECT lexeme, text FROM unnest(%(lexemes)s::text[]) AS lexeme, LATERAL (
    SELECT concat_ws(' ', document.title, document.path, array_to_string(section.heading_path, ' '), section.content) AS text
    FROM collections_app_searchedvector AS indexed
    JOIN collections_app_section AS section ON section.id = indexed.section_id
    JOIN collections_app_document AS document ON document.id = indexed.document_id
    WHERE indexed.tenant_id = ANY(%(tenants)s) AND indexed.collection_id = ANY(%(collections)s)
        AND indexed.vector @@ quote_literal(lexeme)::tsquery
    LIMIT 1
) AS found
"""


def find_written(word: str, lexemes: Sequence[str], searched: Sequence[Collection]) -> dict[str, str]:
    """Lexeme → how a document writes it: the index knows stems only, which nobody should be told to look for."""
    with connection.cursor() as cursor:
        cursor.execute(
            WRITTEN,
            {
                "lexemes": list(lexemes),
                "tenants": list({collection.tenant_id for collection in searched}),
                "collections": [collection.pk for collection in searched],
            },
        )
        rows = cursor.fetchall()
    found = {lexeme: choose_written(word, lexeme, text) for lexeme, text in rows}
    return {lexeme: written for lexeme, written in found.items() if written}


def choose_written(word: str, lexeme: str, text: str) -> str | None:
    """The word of the text that begins like the lexeme and is most like the word; one with signs in it for such a one."""
    words = {each.lower() for each in (WORD if lexeme.isalnum() else IDENTIFIER).findall(text)}
    beginning = lexeme[: max(3, len(lexeme) - 1)]
    alike = [each for each in sorted(words) if fold_accents(each).startswith(beginning)]
    return max(alike, key=lambda each: compare(word.lower(), each), default=None)


def find_close_pages(question: str, searched: Sequence[Collection], visible: Sequence[Collection]) -> tuple[str, ...]:
    """The pages whose path is nearly what was asked for, closest first; nothing for a long question, which names no page."""
    if len(question) > MAX_PATH_LIKE_CHARACTERS:
        return ()
    return tuple(find_close_paths(searched, question, visible)[:CLOSE_PAGES])
