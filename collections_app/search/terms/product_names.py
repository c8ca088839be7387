"""What the documents that are searched are all about, where a question calls it by its name: `rate limits in Acme Gate`. PURE.

Who asks names it in each question. Some of the sections have it in their headings, which are no better for it, and for a model of language
it is a good part of a short question.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set

from collections_app.search.terms.asked_words import find_word
from collections_app.search.terms.names import weaken
from collections_app.search.terms.term import Term

OF_PRODUCT = 0.5
# Beside which it tells little.
FEWEST_OTHERS = 2


def weaken_product(terms: Sequence[Term], question: str, names: Set[str]) -> list[Term]:
    """The terms of a question, those of the product's name worth OF_PRODUCT of themselves where FEWEST_OTHERS beside them are in some
    section. `names`: what it may be called, in lower case, words apart."""
    words = {word for found in find_names(question, names) for word in split(found)}
    if not words:
        return list(terms)
    named = {term.lexeme for term in terms if words.issuperset(split(find_word(question, term.lexeme)))}
    others = {place for term in terms if term.sections and term.lexeme not in named for place in term.positions}
    if len(others) < FEWEST_OTHERS:
        return list(terms)
    return [weaken(term, OF_PRODUCT) if term.lexeme in named else term for term in terms]


def leave_out_product(question: str, names: Set[str]) -> str:
    """The words beside its name; the question itself where there are fewer than FEWEST_OTHERS."""
    rest = question
    for pattern in make_patterns(names):
        rest = re.sub(pattern, " ", rest, flags=re.IGNORECASE)
    words = rest.split()
    return " ".join(words) if len(words) >= FEWEST_OTHERS else question


def find_names(question: str, names: Set[str]) -> list[str]:
    """As they are written there: `acme gate` is `Acme-Gate` too. Not in another name, as `acme-gate-cli`."""
    return [found for pattern in make_patterns(names) for found in re.findall(pattern, question, re.IGNORECASE)]


def make_patterns(names: Set[str]) -> Iterator[str]:
    """The longest names first."""
    for name in sorted(names, key=lambda name: (-len(name), name)):
        words = r"[\s_-]*".join(map(re.escape, split(name)))
        yield rf"(?<![\w-]){words}(?![\w-])"


def split(name: str) -> list[str]:
    return re.findall(r"\w+", name.lower().replace("_", " "))
