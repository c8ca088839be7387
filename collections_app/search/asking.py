"""Turns the words of a query into the question that is ranked. The documents decide which words are options and which are typing errors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from collections_app.exceptions import InvalidQuery
from collections_app.models import Collection
from collections_app.search.help.missing import (
    MAX_SECTIONS_FOR_SPELLINGS,
    find_missing,
    find_missing_names,
    report_missing,
)
from collections_app.search.help.spelling import choose_spellings
from collections_app.search.narrowing import Narrowing
from collections_app.search.query import Query, parse_query
from collections_app.search.query.comparison import find_sides, is_comparing
from collections_app.search.query.contractions import is_contraction
from collections_app.search.query.options import find_options, find_unseen
from collections_app.search.query.traces import leave_out_frames
from collections_app.search.question import Question, look_up
from collections_app.search.ranking.approach import Approach
from collections_app.search.rankings import rank_own_words
from collections_app.search.search_options import Mode
from collections_app.search.section_rows import get_rows
from collections_app.search.stages import timing
from collections_app.search.terms.asked_language import find_asked_language
from collections_app.search.terms.asked_words import find_whole_word, find_word
from collections_app.search.time_limit import limited_transaction, limiting_time
from collections_app.text.control_characters import drop_unseen

MAX_QUERY_CHARACTERS = 1000
# The best LOOKED_THROUGH sections are searched for options; with 20, `Get-Help Get-Job -Online` would exclude a word. In collections with
# more than MAX_SECTIONS_SCORED_IN_FULL sections, only a part (LEAST_PART at least) of the candidates is scored to find them: they only have
# to be near the best.
LOOKED_THROUGH = 50
MAX_SECTIONS_SCORED_IN_FULL = 100_000
LEAST_PART = 0.2
# In larger collections, other spellings of names are not looked for.
MAX_SECTIONS_FOR_NAMES = 100_000
# A question in a language other than the documents' has at least this many words that the documents lack.
FEWEST_FOREIGN = 2


def check_query(query: str) -> str:
    """The query on one line, without characters that no stored text can contain and the frames of stack traces. Raises InvalidQuery."""
    line = " ".join(drop_unseen(query).replace("\0", " ").encode("utf-8", "replace").decode().split())
    text = leave_out_frames(line)
    if not text:
        raise InvalidQuery("The query is empty. Give a few words of what you are looking for.")
    if len(text) > MAX_QUERY_CHARACTERS:
        raise InvalidQuery(
            f"The query has {len(text):,} characters; at most {MAX_QUERY_CHARACTERS:,} are looked up. Keep the words that matter."
        )
    return text


def read_query(text: str, collections: Sequence[Collection], narrowing: Narrowing) -> tuple[Query, Question | None]:
    """The parsed query, where options at its end (`find . -name`) are words to search for and not exclusions. Also the question whose words
    were looked up for that; None if it was another one, or none.

    The sections that rank best without those words decide which are options: those that have them may be about another command with such
    an option. If nothing else is asked (`when to use -Force`), those that have them decide. Words that no section has, because of a typing
    error, are searched for too: they would exclude nothing. Raises SearchTooSlow.
    """
    query = parse_query(text)
    if not query.doubtful:
        return query, None
    with limiting_time():
        question = look_up(query, Approach(Mode.KEYWORD), collections, narrowing, 0)
        part = max(LEAST_PART, MAX_SECTIONS_SCORED_IN_FULL / max(question.sections, MAX_SECTIONS_SCORED_IN_FULL))
        with timing("words"):
            best = rank_own_words(question.without_exclusions().score_part(part), LOOKED_THROUGH)
            if not best:
                asked = look_up_other(question, query.keep_options(query.doubtful), question.approach)
                best = rank_own_words(asked.score_part(part), LOOKED_THROUGH)
        texts = [row.excerpt for row in get_rows([section.section_id for section in best]).values()]
        misspelt = find_misspelt(question, find_unseen(query.doubtful, texts))
    options = find_options(query.text, query.doubtful, texts)
    return (query.keep_options(options, misspelt), None) if options or misspelt else (query, question)


def find_misspelt(question: Question, words: Sequence[str]) -> list[str]:
    """Those of the excluded `words` that no section has, but that are close to a word that some section has."""
    if not words or question.sections > MAX_SECTIONS_FOR_SPELLINGS:
        return []
    taken = look_up_other(question, question.query.keep_options(words), question.approach)
    text = taken.query.text
    missing = [term for term in find_missing(taken.scopes, text) if find_whole_word(text, term.lexeme) in words]
    if not missing:
        return []
    with limited_transaction():
        reports = report_missing(text, missing, taken.corpus, list(taken.collections.values()), (), is_spelled=True)
    return list(choose_spellings(taken.query, reports))


def ask(
    query: Query,
    approach: Approach,
    collections: Sequence[Collection],
    narrowing: Narrowing,
    snippet_length: int,
    visible: Sequence[Collection],
    known: Question | None = None,
) -> Question:
    """The question with its words looked up, with close spellings for words that no section has, and with the things that it compares.

    `known`: the question as read_query() looked it up.
    """
    question = (
        replace(known, approach=approach, snippet_length=snippet_length)
        if known
        else look_up(query, approach, collections, narrowing, snippet_length)
    )
    question = report_missing_words(question, visible)
    if approach.mode is not Mode.SEMANTIC and (spellings := choose_spellings(query, question.missing)):
        question = look_up_spelled(question, spellings)
    return replace(question, sides=look_up_sides(question))


def look_up_spelled(question: Question, spellings: Mapping[str, str]) -> Question:
    """The question with these spellings. Sections that people pinned to the words as typed stay pinned."""
    spelled = look_up_other(question, question.query.spell(spellings), question.approach)
    pinned = question.pinned or spelled.pinned
    return replace(spelled, pinned=pinned, missing=question.missing, asked_language=question.asked_language)


def look_up_sides(question: Question) -> tuple[Question, ...]:
    """The things that the question compares, each as a question of its own words.

    One with half or more of its words in no section is dropped: sections with the other words are about something else.
    """
    query = question.query
    if query.phrases or query.is_code or query.is_message:
        return ()
    asked = [replace(query, text=side) for side in find_sides(query.text)]
    sides = [look_up_other(question, side, Approach(Mode.KEYWORD)) for side in asked]
    return tuple(side for side in sides if not side.lacks_half)


def look_up_other(question: Question, query: Query, approach: Approach) -> Question:
    """Another query, looked up in the same collections with the same narrowing."""
    return look_up(query, approach, list(question.collections.values()), question.narrowing, question.snippet_length)


def report_missing_words(question: Question, visible: Sequence[Collection]) -> Question:
    """The question with `missing` set: the words that no section has, except contractions, `vs` and stop words of another language.

    Most questions have none.
    """
    text = question.query.text
    terms = find_missing(question.scopes, text)
    if question.sections <= MAX_SECTIONS_FOR_NAMES:
        terms += find_missing_names(question.scopes, text)
    terms = [term for term in terms if not says_nothing(find_whole_word(text, term.lexeme))]
    if not terms:
        return question
    words = {find_word(text, term.lexeme).lower() for term in terms}
    language = find_asked_language(text, question.languages, words) if len(terms) >= FEWEST_FOREIGN else None
    if language:
        terms = language.leave_out_stop_words(text, terms)
        question = question.without_stop_words(language)
    with limited_transaction():
        searched = list(question.collections.values())
        missing = report_missing(text, terms, question.corpus, searched, visible, is_spelled=language is None)
    return replace(question, missing=missing, asked_language=language)


def says_nothing(word: str) -> bool:
    """Whether it does not matter that no section has the word."""
    return is_contraction(word) or is_comparing(word)
