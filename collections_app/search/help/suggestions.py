"""What to say when nothing was found: where the question's words do occur, and which words and pages have similar names."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain
from operator import itemgetter

from collections_app.documents import find_close_paths
from collections_app.models import Collection
from collections_app.search.help.close_words import find_close_words
from collections_app.search.help.missing import count_elsewhere
from collections_app.search.results import WordReport
from collections_app.search.terms.asked_words import find_part, find_run, find_word
from collections_app.search.terms.term import Corpus, Term

MAX_WORDS = 8
# Close spellings are looked for only for this many words: each takes a scan of the terms that begin like it.
MAX_UNKNOWN = 3
CLOSE_PAGES = 3
MAX_PATH_LIKE_CHARACTERS = 80


def report_words(
    question: str,
    terms: Sequence[Term],
    corpus: Corpus,
    searched: Sequence[Collection],
    visible: Sequence[Collection],
    *,
    is_spelled: bool,
) -> tuple[WordReport, ...]:
    """For each word of a question its sections here, its sections in the other visible collections, and close spellings if it has none.

    Without `is_spelled` no close spellings, which say nothing of a question in another language.

    Collections of several languages may have several terms for a word. For pairs of unspaced characters that are nowhere, the whole run is
    reported: they are no words.
    """
    words: dict[str, list[Term]] = {}
    for term in terms:
        run = "" if term.sections else find_run(question, term.lexeme)
        words.setdefault(run or find_part(question, term, terms) or find_word(question, term.lexeme), []).append(term)
    words = dict(list(words.items())[:MAX_WORDS])
    elsewhere = count_elsewhere([term for own in words.values() for term in own], searched, visible)
    unknown = [word for word, own in words.items() if is_spelled and not any(term.sections for term in own)]
    return tuple(
        WordReport(
            word,
            sum(term.sections for term in own),
            join_counts(elsewhere.get(term.lexeme, ()) for term in own)[:5],
            find_close_words(word, own[0].lexeme, corpus, searched) if word in unknown[:MAX_UNKNOWN] else (),
        )
        for word, own in words.items()
    )


def join_counts(lists: Iterable[Iterable[tuple[str, int]]]) -> tuple[tuple[str, int], ...]:
    """Each collection once with its highest count, most sections first.

    Counts are not summed: a collection has the terms of one language, and those of others only by chance.
    """
    most: dict[str, int] = {}
    for name, sections in chain.from_iterable(lists):
        most[name] = max(sections, most.get(name, 0))
    return tuple(sorted(most.items(), key=itemgetter(1), reverse=True))


def find_close_pages(question: str, searched: Sequence[Collection], visible: Sequence[Collection]) -> tuple[str, ...]:
    """The pages whose path is close to the question, closest first; none for a long question, which names no page."""
    if len(question) > MAX_PATH_LIKE_CHARACTERS:
        return ()
    return tuple(find_close_paths(searched, question, visible)[:CLOSE_PAGES])
