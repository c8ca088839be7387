"""What people decided about a collection's search: synonyms and pinned answers.

They are read once per index_version of a collection and kept in the process, so collections without any (most of them) cost nothing.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from collections_app.models import Collection, Pin, Synonym
from collections_app.search.query import parse_query
from collections_app.text.analysis.unspaced import UNSPACED_RUN
from collections_app.text.names import split_name

MAX_REMEMBERED = 10_000
# More synonyms than this for the words of one question are not looked up.
MAX_EXPANSIONS = 20


class Expansion(NamedTuple):
    """A term and its synonym; either may be several words. `wanted` is the term, normalised."""

    term: str
    synonym: str
    wanted: str


@dataclass(frozen=True, slots=True)
class Curation:
    """The synonyms and pins of one collection.

    `pins`: the text of a question that is ranked, normalised → the (path, section id) pairs that answer it, best first; an empty section
    id means the first section.
    """

    expansions: tuple[Expansion, ...] = ()
    pins: Mapping[str, Sequence[tuple[str, str]]] = field(default_factory=dict)


NOTHING = Curation()
_remembered: dict[int, tuple[int, Curation]] = {}


def normalise(text: str) -> str:
    """The text's words (text/names/) with a blank on both sides of each."""
    return f" {' '.join(split_name(text))} "


def get_curations(collections: Sequence[Collection]) -> dict[int, Curation]:
    """Curations by collection id. Every search asks for all its collections; `id` is used because `pk` is a slower property."""
    # Other threads may meanwhile store what they read, possibly for another index_version.
    known = {c.id: each[1] for c in collections if (each := _remembered.get(c.id)) and each[0] == c.index_version}
    if unknown := [c for c in collections if c.id not in known]:
        read = read_curations(unknown)
        remember(unknown, read)
        known |= {c.id: read.get(c.id, NOTHING) for c in unknown}
    return known


def remember(collections: Iterable[Collection], read: Mapping[int, Curation]) -> None:
    if len(_remembered) > MAX_REMEMBERED:
        _remembered.clear()
    _remembered.update({c.pk: (c.index_version, read.get(c.pk, NOTHING)) for c in collections})


def read_curations(collections: Sequence[Collection]) -> dict[int, Curation]:
    expansions: dict[int, list[Expansion]] = defaultdict(list)
    synonyms = Synonym.objects.in_collections(collections)
    for pk, term, synonym, is_mutual in synonyms.values_list("collection_id", "term", "synonym", "is_mutual"):
        expansions[pk].append(Expansion(term, synonym, normalise(term)))
        if is_mutual:
            expansions[pk].append(Expansion(synonym, term, normalise(synonym)))
    pins: dict[int, dict[str, list[tuple[str, str]]]] = defaultdict(lambda: defaultdict(list))
    rows = Pin.objects.in_collections(collections)
    for pk, question, path, section_id in rows.values_list("collection_id", "question", "path", "section_id"):
        pins[pk][normalise(parse_query(question).text)].append((path, section_id))
    return {pk: Curation(tuple(expansions[pk]), dict(pins[pk])) for pk in {*expansions, *pins}}


def find_expansions(curations: Mapping[int, Curation], question: str) -> dict[int, tuple[Expansion, ...]]:
    """Collection id → the synonyms of the question's words, at most MAX_EXPANSIONS; only collections that have some."""
    words = normalise(question)
    return {
        pk: found[:MAX_EXPANSIONS]
        for pk, curation in curations.items()
        if (found := tuple(each for each in curation.expansions if occurs(each.wanted, words)))
    }


def occurs(wanted: str, words: str) -> bool:
    """Whether the words occur in a question, both normalised. In scripts without blanks they may be anywhere within a word."""
    if wanted in words:
        return not wanted.isspace()
    return wanted.strip() in words and UNSPACED_RUN.fullmatch(wanted.strip()) is not None
