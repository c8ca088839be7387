"""From the words of a question to what is ranked: options among them, and words with typing errors, are told by the documents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from collections_app.exceptions import InvalidQuery
from collections_app.models import Collection
from collections_app.search.help.missing import find_missing, find_missing_names, report_missing
from collections_app.search.help.spelling import choose_spellings
from collections_app.search.narrowing import Narrowing
from collections_app.search.query import Query, parse_query
from collections_app.search.query.comparison import find_sides
from collections_app.search.query.contractions import is_contraction
from collections_app.search.query.options import find_options
from collections_app.search.question import Question, look_up
from collections_app.search.ranking.approach import Approach
from collections_app.search.rankings import rank_own_words
from collections_app.search.search_options import Mode
from collections_app.search.section_rows import get_rows
from collections_app.search.stages import timing
from collections_app.search.terms.asked_language import find_asked_language
from collections_app.search.terms.asked_words import find_whole_word, find_word
from collections_app.search.time_limit import limited_transaction, limiting_time
from collections_app.text.unseen import drop_unseen

MAX_QUERY_CHARACTERS = 1000
# Sections that are looked through for options. Of more than so many, which they are is told by a part of what a search would score: they
# only have to be near the best.
LOOKED_THROUGH = 20
MAX_SECTIONS_SCORED_IN_FULL = 100_000
LEAST_PART = 0.2
# Among more, no names are looked for that may be written otherwise.
MAX_SECTIONS_FOR_NAMES = 100_000
# A question in another language than the documents has at least so many words that they have not.
FEWEST_FOREIGN = 2


def check_query(query: str) -> str:
    """The query on one line, without what no text can hold. Raises InvalidQuery."""
    text = " ".join(drop_unseen(query).replace("\0", " ").encode("utf-8", "replace").decode().split())
    if not text:
        raise InvalidQuery("The query is empty. Give a few words of what you are looking for.")
    if len(text) > MAX_QUERY_CHARACTERS:
        raise InvalidQuery(
            f"The query has {len(text):,} characters; at most {MAX_QUERY_CHARACTERS:,} are looked up. Keep the words that matter."
        )
    return text


def read_query(text: str, collections: Sequence[Collection], narrowing: Narrowing) -> Query:
    """The query, asking for the options at its end: they are told by the sections that are best with them. So it does for words that no
    section has but for a typing error, of which nothing is excluded. Raises SearchTooSlow."""
    query = parse_query(text)
    if not query.doubtful:
        return query
    with limiting_time():
        taken = look_up(query.keep_options(query.doubtful), Approach(Mode.KEYWORD), collections, narrowing, 0)
        part = max(LEAST_PART, MAX_SECTIONS_SCORED_IN_FULL / max(taken.sections, MAX_SECTIONS_SCORED_IN_FULL))
        with timing("words"):
            best = rank_own_words(taken.score_part(part), LOOKED_THROUGH)
        rows = get_rows([section.section_id for section in best])
    options = find_options(query.text, query.doubtful, [row.excerpt for row in rows.values()])
    return query.keep_options(options, find_misspelt(taken, query.doubtful))


def find_misspelt(taken: Question, words: Sequence[str]) -> list[str]:
    """Those of the words that no section has, but nearly so."""
    text = taken.query.text
    missing = [term for term in find_missing(taken.scopes, text) if find_whole_word(text, term.lexeme) in words]
    if not missing:
        return []
    with limited_transaction():
        reports = report_missing(text, missing, taken.corpus, list(taken.collections.values()), ())
    return list(choose_spellings(taken.query, reports))


def ask(
    query: Query,
    approach: Approach,
    collections: Sequence[Collection],
    narrowing: Narrowing,
    snippet_length: int,
    visible: Sequence[Collection],
) -> Question:
    """The question, looked up, with near spellings for words that no section has, and with what it compares."""
    question = look_up(query, approach, collections, narrowing, snippet_length)
    question = report_missing_words(question, visible)
    if approach.mode is not Mode.SEMANTIC and (spellings := choose_spellings(query, question.missing)):
        question = look_up_spelled(question, spellings)
    return replace(question, sides=look_up_sides(question))


def look_up_spelled(question: Question, spellings: Mapping[str, str]) -> Question:
    """What people pinned to the words as they were typed stays so."""
    spelled = look_up_other(question, question.query.spell(spellings), question.approach)
    pinned = question.pinned or spelled.pinned
    return replace(spelled, pinned=pinned, missing=question.missing, asked_language=question.asked_language)


def look_up_sides(question: Question) -> tuple[Question, ...]:
    """The things that it compares, each by its own words. Of one that no section has half of the words of, what has the others is about
    something else."""
    query = question.query
    if query.phrases or query.is_code or query.is_message:
        return ()
    asked = [replace(query, text=side) for side in find_sides(query.text)]
    sides = [look_up_other(question, side, Approach(Mode.KEYWORD)) for side in asked]
    return tuple(side for side in sides if not side.lacks_half)


def look_up_other(question: Question, query: Query, approach: Approach) -> Question:
    """Another query where this question was looked up."""
    return look_up(query, approach, list(question.collections.values()), question.narrowing, question.snippet_length)


def report_missing_words(question: Question, visible: Sequence[Collection]) -> Question:
    """With the words that no section has, of which most questions have none; not contractions, nor the stop words of another language."""
    text = question.query.text
    terms = find_missing(question.scopes, text)
    if question.sections <= MAX_SECTIONS_FOR_NAMES:
        terms += find_missing_names(question.scopes, text)
    terms = [term for term in terms if not is_contraction(find_whole_word(text, term.lexeme))]
    if not terms:
        return question
    words = {find_word(text, term.lexeme).lower() for term in terms}
    language = find_asked_language(text, question.languages, words) if len(terms) >= FEWEST_FOREIGN else None
    if language:
        terms = language.leave_out_stop_words(text, terms)
        question = question.without_stop_words(language)
    with limited_transaction():
        missing = report_missing(text, terms, question.corpus, list(question.collections.values()), visible)
    return replace(question, missing=missing, asked_language=language)
