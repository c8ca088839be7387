"""A question whose words have been looked up in the collections to search: all that ranking and snippets need to know about it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from operator import attrgetter
from typing import NamedTuple

from collections_app.models import Collection
from collections_app.search.curation import find_expansions, get_curations
from collections_app.search.narrowing import UNNARROWED, Narrowing, find_few_documents
from collections_app.search.phrases import Pattern, make_patterns
from collections_app.search.query import Query
from collections_app.search.ranking.approach import Approach
from collections_app.search.ranking.called_pages import Called, find_called
from collections_app.search.ranking.pins import find_pinned
from collections_app.search.ranking.scoring import RankedSection
from collections_app.search.ranking.starts import Asked, find_asked
from collections_app.search.results import WordReport
from collections_app.search.scope import make_scopes
from collections_app.search.snippets import Passage, choose_passage, make_code_snippet, make_snippet
from collections_app.search.stages import timing
from collections_app.search.terms.asked_language import AskedLanguage
from collections_app.search.terms.named_products import Named, find_named
from collections_app.search.terms.names import find_parts
from collections_app.search.terms.product_names import weaken_product, weigh_product
from collections_app.search.terms.stand_ins import add_stand_ins
from collections_app.search.terms.statistics import ScopedTerms, get_terms
from collections_app.search.terms.term import Corpus, Term
from collections_app.search.terms.word_forms import list_formed
from collections_app.text.analysis.identifiers import split_identifiers
from collections_app.text.analysis.lexemes import decode_term, is_label
from collections_app.text.passages.question_words import STEM_CHARACTERS, QuestionWords, list_words, make_question_words

FEWEST_LACKING = 2
# With this many stop words of a language a question is in it.
FEWEST_STOP_WORDS = 2
# Worth of words in a snippet: LEAST_WORTH for a word that is in most sections, which still tells something; a word that stands in for
# another is worth STANDING_IN times what its term is.
LEAST_WORTH = 0.3
STANDING_IN = 0.5


class _WordCounts(NamedTuple):
    missing: int
    all: int


@dataclass(frozen=True)
class Question:
    """What is asked, its terms in each scope, the sections that people pinned to it, the product that it asks for, and the pages that it
    calls.

    `shown`: the words that snippets show. `snippet_length` is in characters. If `code` is given, snippets show fenced code in that
    language. `missing`: the words that no section has, once these were looked for (asking.py). `asked_language`: the language of the
    question, if the documents are in another. `sides`: the things that the question compares, each as a question of its own.
    """

    query: Query
    approach: Approach
    corpus: Corpus
    scopes: Sequence[ScopedTerms]
    collections: Mapping[int, Collection]
    pinned: Sequence[RankedSection]
    product: Asked
    called: Called
    shown: str
    snippet_length: int
    code: str | None = None
    missing: tuple[WordReport, ...] = ()
    asked_language: AskedLanguage | None = None
    sides: tuple[Question, ...] = ()

    @property
    def is_of_stop_words(self) -> bool:
        """Whether all its words are stop words, so that only whole headings and entries are looked up (is_label)."""
        return all(is_label(term.lexeme) for scoped in self.scopes for term in scoped.terms)

    @property
    def has_no_word(self) -> bool:
        """Whether no section has any of the question's words or of the words that stand in for them."""
        return not any(term.sections for scoped in self.scopes for term in scoped.terms)

    @property
    def lacks_most_words(self) -> bool:
        """Whether at least half of the question's words, and at least two, are in no section: a single one may be a name."""
        missing, words = self._count_words()
        return missing >= max(FEWEST_LACKING, words / 2)

    @property
    def lacks_half(self) -> bool:
        """Whether at least half of the question's words are in no section, nor any word that stands in for them."""
        missing, words = self._count_words()
        return missing >= words / 2

    def _count_words(self) -> _WordCounts:
        """How many words are in no section, and how many there are. The parts of a name count, not also the whole name; that counts if all
        its parts are stop words (`@Before`)."""
        terms = [
            term for scoped in self.scopes for term in scoped.terms if not find_parts(term.lexeme, scoped.terms, {})
        ]
        replaced = {term.lexeme for term in terms if term.is_stand_in}
        found = [term for term in terms if term.sections or term.lexeme in replaced]
        places = {place for term in terms for place in term.positions}
        missing = places.difference(place for term in found for place in term.positions)
        return _WordCounts(len(missing), len(places))

    @cached_property
    def patterns(self) -> dict[str, Sequence[Pattern]]:
        """Language → patterns of the phrases that have to be checked in the texts: those with stop words, which the index does not have."""
        return {each.scope.language: make_patterns(self.query.phrases, each.stop_words) for each in self.scopes}

    @cached_property
    def excluded_patterns(self) -> dict[str, Sequence[Pattern]]:
        """Language → patterns of the excluded phrases that have to be checked in the texts, likewise."""
        return {each.scope.language: make_patterns(self.query.excluded, each.stop_words) for each in self.scopes}

    def merge_terms(self) -> list[Term]:
        """The terms of all scopes, each once, with their sections summed, rarest first."""
        merged: dict[str, Term] = {}
        for scoped in self.scopes:
            for term in scoped.terms:
                known = merged.get(term.lexeme)
                merged[term.lexeme] = replace(term, sections=term.sections + known.sections) if known else term
        return sorted(merged.values(), key=attrgetter("order"))

    @property
    def languages(self) -> set[str]:
        """The languages of the collections that are searched."""
        return {each.scope.language for each in self.scopes}

    @property
    def speaks_their_language(self) -> bool:
        """Whether the question has stop words of one of these languages, and not a single one, which may be a word of any."""
        return any(len(each.stop_words) >= FEWEST_STOP_WORDS for each in self.scopes if each.scope.language != "simple")

    @property
    def is_of_names(self) -> bool:
        """Whether all of its words are names as code writes them (`ReplicaSet`, `max_rows`), which are of no language."""
        return all(map(split_identifiers, self.query.text.split()))

    @property
    def sections(self) -> int:
        """How many sections are searched."""
        return sum(scoped.sections for scoped in self.scopes)

    @property
    def narrowing(self) -> Narrowing:
        """The narrowing with what was looked up for it, so that another query in the same collections need not repeat that."""
        return self.scopes[0].scope.narrowing if self.scopes else UNNARROWED

    @property
    def is_limited(self) -> bool:
        """Whether a section needs more than words to be found: a filter, a phrase or an exclusion may leave it out."""
        return bool(self.narrowing or self.query.phrases or self.query.excluded)

    def snip(self, passages: Sequence[Passage], language: str, length: int | None = None) -> str:
        """A snippet of the passage that shows best why a section was found; `length`, in characters, is `snippet_length` by default."""
        words = self.get_words(language)
        text, start, label = choose_passage(passages, words)
        length = self.snippet_length if length is None else length
        if self.code:
            return label + make_code_snippet(text, self.code, words, length, start)
        return label + make_snippet(text, words, length, start)

    @cached_property
    def get_words(self) -> Callable[[str], QuestionWords]:
        """The words that snippets show, by the language of the section, weighted by weigh_beginnings()."""
        scopes = {each.scope.language: each for each in self.scopes}

        def make(language: str) -> QuestionWords:
            words = make_question_words(self.shown, scopes[language].stop_words)
            return words.weighed(weigh_beginnings(scopes[language].terms))

        return cache(make)

    def with_stand_ins(self, *, for_missing: bool) -> Question:
        """The same question with added words that stand in for its own; `self` if there are none.

        With `for_missing`, only words that no section has get stand-ins.
        """
        scopes = add_stand_ins(self.scopes, self.query.text, self.corpus, for_missing=for_missing)
        found = [each for scoped in scopes for term in scoped.terms if term.is_stand_in for each in term.alternatives]
        words = sorted({lexeme for each in found for lexeme in each.lexemes})
        return replace(self, scopes=scopes, shown=" ".join([self.shown, *words])) if found else self

    def score_part(self, part: float) -> Question:
        """The same question, with only this part (0 to 1) of the candidates to be scored."""
        return replace(self, scopes=[replace(scoped, share=scoped.share * part) for scoped in self.scopes])

    def without_stop_words(self, language: AskedLanguage) -> Question:
        """The same question without the stop words of the language that it is asked in.

        They are no stop words in the documents' language and would find chance hits (`con` in code).
        """
        text = self.query.text
        scopes = [replace(each, terms=language.leave_out_stop_words(text, each.terms)) for each in self.scopes]
        return replace(self, scopes=scopes)

    def without_exclusions(self) -> Question:
        """The same question, where nothing is excluded."""
        return replace(self, query=replace(self.query, excluded=()))

    def without_phrases(self) -> Question:
        """The same question, where quoted words need not be together; they still rank."""
        return replace(self, query=replace(self.query, phrases=()))


@timing("terms")
def look_up(
    query: Query, approach: Approach, collections: Sequence[Collection], narrowing: Narrowing, snippet_length: int
) -> Question:
    curations = get_curations(collections)
    expansions = find_expansions(curations, query.text)
    named = find_named(collections, query.text)
    asked = make_scopes(collections, narrowing, expansions, named.collections)
    formed = list_formed(list_words(query.text), asked)
    corpus, scopes = get_terms(asked, query.text, formed, " ".join(query.excluded).replace("_", " "))
    if not all(scoped.is_told for scoped in scopes):
        narrowing = narrowing._replace(told=())
    scopes = [weigh_product_name(scoped, query.text, named) for scoped in scopes]
    narrowing = find_few_documents(narrowing, collections, corpus.pages)
    scopes = [scoped.narrow(narrowing) for scoped in scopes]
    synonyms = {each.synonym for own in expansions.values() for each in own}
    parts = {part for scoped in scopes for term in scoped.terms for part in term.parts}
    shown = " ".join([query.text, *sorted({*synonyms, *parts, *formed.values()})])
    is_plain = not (narrowing or query.excluded)
    pinned = find_pinned(collections, curations, query.text) if is_plain else []
    stop_words = frozenset().union(*(scoped.stop_words for scoped in scopes))
    product = find_asked(collections, query.text, stop_words) if is_plain and not query.phrases else Asked()
    called = find_called(scopes, query.text)
    by_id = {c.id: c for c in collections}
    return Question(
        query, approach, corpus, scopes, by_id, pinned, product, called, shown, snippet_length, narrowing.code
    )


def weigh_product_name(scoped: ScopedTerms, text: str, named: Named) -> ScopedTerms:
    """The scope with what the product's name weighs there, if the question has it."""
    if named.collections and not scoped.scope.is_named:
        return scoped
    of_product = weigh_product(scoped.terms, text, named.names) if scoped.scope.is_named else 0.0
    return replace(scoped, terms=weaken_product(scoped.terms, text, named.names), of_product=of_product)


def weigh_beginnings(terms: Sequence[Term]) -> dict[str, float]:
    """What words are worth in a snippet: the first STEM_CHARACTERS of a lexeme → the idf of the rarest term that begins so.

    It is at least LEAST_WORTH, then times STANDING_IN for words that only stand in for a word of the question. The idf of a name's parts
    is added to that of the name, since the name is shown as a whole.
    """
    worth: dict[str, float] = {}
    known = [term for term in terms if term.sections and not term.is_stand_in]
    rarity = [term.idf + sum(part.idf for part in find_parts(term.lexeme, known, {})) for term in terms]
    for term, idf in sorted(zip(terms, rarity, strict=True), key=lambda each: (each[0].is_stand_in, -each[1])):
        own = [] if term.is_stand_in else [decode_term(term.lexeme)]
        others = {lexeme for each in term.alternatives for lexeme in each.lexemes} if term.is_stand_in else set()
        for lexeme in (*own, *others):
            worth.setdefault(lexeme[:STEM_CHARACTERS], max(idf, LEAST_WORTH) * (STANDING_IN if others else 1.0))
    return worth
