"""Weighs the name of the product that documents are about, if a question has it: `rate limits in Acme Gate`. PURE.

People put it in every question. Sections that have it in their headings are no better for it, and for an embedding model it is a large part
of a short question. If several products' documents are searched, all sections of the one that is named count as having its name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set

from collections_app.search.terms.asked_words import find_word
from collections_app.search.terms.names import weaken
from collections_app.search.terms.term import Term
from collections_app.text.names import split_words

OF_PRODUCT = 0.5
# With this many other words, the name says little.
FEWEST_OTHERS = 2


def weaken_product(terms: Sequence[Term], question: str, names: Set[str]) -> list[Term]:
    """The terms, where those of the product's name count only OF_PRODUCT times if at least FEWEST_OTHERS other words are in some section.

    `names`: names of the product, in lower case, as separate words.
    """
    named = find_named_lexemes(terms, question, names)
    if not named:
        return list(terms)
    others = {place for term in terms if term.sections and term.lexeme not in named for place in term.positions}
    if len(others) < FEWEST_OTHERS:
        return list(terms)
    return [weaken(term, OF_PRODUCT) if term.lexeme in named else term for term in terms]


def weigh_product(terms: Sequence[Term], question: str, names: Set[str]) -> float:
    """The summed idf of the name's terms."""
    named = find_named_lexemes(terms, question, names)
    return sum(term.idf for term in terms if term.lexeme in named)


def find_named_lexemes(terms: Sequence[Term], question: str, names: Set[str]) -> set[str]:
    """The lexemes of the name's terms."""
    words = {word for found in find_names(question, names) for word in split_words(found)}
    return {term.lexeme for term in terms if words and words.issuperset(split_words(find_word(question, term.lexeme)))}


def leave_out_product(question: str, names: Set[str]) -> str:
    """The question without the product's name; unchanged if that leaves fewer than FEWEST_OTHERS words."""
    rest = question
    for pattern in make_patterns(names):
        rest = re.sub(pattern, " ", rest, flags=re.IGNORECASE)
    words = rest.split()
    return " ".join(words) if len(words) >= FEWEST_OTHERS else question


def find_names(question: str, names: Set[str]) -> list[str]:
    """The names as the question writes them: `acme gate` also matches `Acme-Gate`, but not a part of `acme-gate-cli`."""
    return [found for pattern in make_patterns(names) for found in re.findall(pattern, question, re.IGNORECASE)]


def make_patterns(names: Set[str]) -> Iterator[str]:
    """Regular expressions for the names, the longest first."""
    for name in sorted(names, key=lambda name: (-len(name), name)):
        words = r"[\s_-]*".join(map(re.escape, split_words(name)))
        yield rf"(?<![\w-]){words}(?![\w-])"
