"""A question, looked up in the collections that it is put to."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property

from collections_app.models import Collection
from collections_app.search.approach import Approach
from collections_app.search.curation import find_expansions, get_curations
from collections_app.search.narrowing import Narrowing, find_few_documents
from collections_app.search.phrases import Pattern, make_patterns
from collections_app.search.pins import find_pinned
from collections_app.search.query import Query
from collections_app.search.question_words import QuestionWords, make_question_words
from collections_app.search.ranking import RankedSection
from collections_app.search.results import WordReport
from collections_app.search.scope import make_scopes
from collections_app.search.snippets import Passage, choose_passage, make_code_snippet, make_snippet
from collections_app.search.stages import timing
from collections_app.search.terms import Corpus, ScopedTerms, Term, get_terms

FEWEST_LACKING = 2


@dataclass(frozen=True)
class Question:
    """What is asked, its terms in each scope, what people pinned to it, and how its snippets are made.

    `missing`: words that no section has, as far as they were looked for (asking.py).
    """

    query: Query
    approach: Approach
    corpus: Corpus
    scopes: Sequence[ScopedTerms]
    collections: Mapping[int, Collection]
    pinned: Sequence[RankedSection]
    snip: Callable[[Sequence[Passage], str], str]
    missing: tuple[WordReport, ...] = ()

    @property
    def has_no_word(self) -> bool:
        """Whether none of the question's words is in any section."""
        return not any(term.sections for scoped in self.scopes for term in scoped.terms)

    @property
    def lacks_most_words(self) -> bool:
        """Whether half of the question's words and more are in no section: two at least, as a single one may be a name."""
        terms = [term for scoped in self.scopes for term in scoped.terms]
        places = {place for term in terms for place in term.positions}
        missing = places.difference(place for term in terms if term.sections for place in term.positions)
        return len(missing) >= max(FEWEST_LACKING, len(places) / 2)

    @cached_property
    def patterns(self) -> dict[str, Sequence[Pattern]]:
        """What texts are looked through for, in each language."""
        return {each.scope.language: make_patterns(self.query.phrases, each.stop_words) for each in self.scopes}

    def merge_terms(self) -> list[Term]:
        """The terms of all scopes, each once, with their sections summed, rarest first."""
        merged: dict[str, Term] = {}
        for scoped in self.scopes:
            for term in scoped.terms:
                known = merged.get(term.lexeme)
                merged[term.lexeme] = replace(term, sections=term.sections + known.sections) if known else term
        return sorted(merged.values(), key=lambda term: (term.sections, term.lexeme))

    @property
    def sections(self) -> int:
        """How many it is put to."""
        return sum(scoped.sections for scoped in self.scopes)

    def score_part(self, part: float) -> Question:
        """With so much fewer candidates."""
        return replace(self, scopes=[replace(scoped, share=scoped.share * part) for scoped in self.scopes])

    def without_phrases(self) -> Question:
        """Their words rank all the same."""
        return replace(self, query=replace(self.query, phrases=()))


@timing("terms")
def look_up(
    query: Query, approach: Approach, collections: Sequence[Collection], narrowing: Narrowing, snippet_length: int
) -> Question:
    curations = get_curations(collections)
    expansions = find_expansions(curations, query.text)
    corpus, scopes = get_terms(make_scopes(collections, narrowing, expansions), query.text)
    if not all(scoped.is_told for scoped in scopes):
        narrowing = narrowing._replace(told=())
    narrowing = find_few_documents(narrowing, collections, corpus.pages)
    scopes = [scoped.narrow(narrowing) for scoped in scopes]
    synonyms = {each.synonym for own in expansions.values() for each in own}
    parts = {part for scoped in scopes for term in scoped.terms for part in term.parts}
    shown = " ".join([query.text, *sorted(synonyms | parts)])
    pinned = [] if narrowing or query.excluded else find_pinned(collections, curations, query.text)
    stop_words = {each.scope.language: each.stop_words for each in scopes}

    @cache
    def get_words(language: str) -> QuestionWords:
        return make_question_words(shown, stop_words[language])

    def snip(passages: Sequence[Passage], language: str) -> str:
        words = get_words(language)
        text, start = choose_passage(passages, words)
        if narrowing.code:
            return make_code_snippet(text, narrowing.code, words, snippet_length, start)
        return make_snippet(text, words, snippet_length, start)

    return Question(query, approach, corpus, scopes, {c.id: c for c in collections}, pinned, snip)
