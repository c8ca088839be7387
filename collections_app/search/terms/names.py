"""What names of several parts are worth beside their parts, which are terms too. PURE."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain

from collections_app.search.terms.term import Term
from collections_app.text.analysis import (
    HEADING_MARK,
    LABEL_SEPARATOR,
    find_option,
    is_entry_name,
    is_heading_name,
    is_label,
    split_name,
    split_term,
)

# Of a name whose other parts are stop words (`on_event`), what the one that is left is worth of itself: most sections that have it mean
# something else. A word of the question stands in a name and in its parts, so twice.
LONE = 0.3
# Of the name of an entry: what describes it shall come before mentions, and not drown the rest of a question.
OF_ENTRY = 0.7
TIMES_OF_A_PART = 2
# Of the series of a version that is nowhere.
OF_SERIES = 0.3
# A stem of so few letters is the word itself.
SHORT_CHARACTERS = 3
# Also of a product, as in `influxdb2.4`.
IS_VERSION = re.compile(r"[a-z-]*\d+(?:\.\d+)+", re.ASCII)
VERSION_PART = re.compile(r"(?<![a-z])v|\d+")


def weigh_names(terms: Sequence[Term]) -> Iterator[Term]:
    """Names of several parts count for what they are rarer than their parts together, which count beside them. They find sections anyway.

    `id_rsa` tells hardly more than `id` and `rsa`, nor `-rf` than `rf`. `OUT_DIR` does: one of its parts is a stop word, the other stands
    anywhere. PostgreSQL's parser finds the host and the path of an address beside the whole: counted three times, it would drown the rest
    of a question.
    """
    # What has synonyms keeps its worth, for sections that have these alone, and its name adds nothing.
    whole = {term.lexeme for term in terms if term.alternatives}
    terms = [weaken(term, OF_ENTRY) if is_entry_name(term.lexeme) else term for term in weaken_series(terms)]
    telling_nothing = find_option_letters(terms) | find_version_numbers(terms)
    terms = [term for term in terms if term.lexeme not in telling_nothing and join_numbered(term.lexeme) not in whole]
    known = [term for term in terms if term.sections]
    apart = {joined: term for term in known if (joined := join_numbered(term.lexeme))}
    found = {*chain.from_iterable(split_name(term.lexeme) for term in apart.values()), *(term.lexeme for term in known)}
    weak = weaken_lone_parts(known, apart)
    known = [weak.get(term.lexeme, term) for term in known]
    for term in (weak.get(term.lexeme, term) for term in terms):
        is_added = split_name(term.lexeme) or find_option(term.lexeme) or is_label(term.lexeme)
        # Older rows lack what is added: it is not missing. Nor is what is there in another spelling (`U.S.` as US).
        if not term.sections and (is_added or term.lexeme in apart or term.lexeme.replace(".", "") in found):
            continue
        parts = [] if term.is_found_otherwise else find_parts(term.lexeme, known, apart)
        idf = term.idf - sum(part.idf for part in parts)
        page_idf = term.page_idf - sum(part.page_idf for part in parts)
        yield replace(term, idf=max(idf, 0.0), page_idf=max(page_idf, 0.0)) if parts else term


def weaken_lone_parts(known: Sequence[Term], apart: Mapping[str, Term]) -> dict[str, Term]:
    """By their lexemes the parts that are all there is of a name beside stop words, and stand nowhere else in the question."""
    weak = {}
    for term in known:
        if words := [part for part in split_name(term.lexeme) if part.isalpha()]:
            parts = find_parts(term.lexeme, known, apart)
            if len(parts) == 1 < len(words) and len(parts[0].positions) <= TIMES_OF_A_PART:
                [part] = parts
                weak[part.lexeme] = weaken(part, LONE)
    return weak


def drop_names_within(terms: Sequence[Term]) -> list[Term]:
    """Without the names of headings that are a part of another one there is: who asks for `not in` does not mean `in`."""
    names = [term.lexeme.removeprefix(HEADING_MARK) for term in terms if term.sections and is_heading_name(term.lexeme)]
    parts = {
        part for part in names for name in names if part != name and part + LABEL_SEPARATOR in name + LABEL_SEPARATOR
    }
    return [term for term in terms if term.lexeme.removeprefix(HEADING_MARK) not in parts] if parts else list(terms)


def join_numbered(lexeme: str) -> str:
    """`soc2` of the name `SOC_2`; nothing of other terms."""
    parts = split_name(lexeme)
    return "".join(parts) if parts and parts[-1][0].isdigit() else ""


def find_parts(lexeme: str, known: Sequence[Term], apart: Mapping[str, Term]) -> list[Term]:
    """The terms that a name is made of; of one written as one word (`SOC2`) the name in parts (`SOC_2`), which has it too."""
    if name := apart.get(lexeme):
        return [name]
    names = split_term(lexeme)
    if not names:
        return []
    return [each for each in known if each.lexeme not in apart and any(is_stem(each.lexeme, part) for part in names)]


def find_option_letters(terms: Sequence[Term]) -> set[str]:
    """Letters that stand in the question as options alone: where `-h` is known, an `h` anywhere else is no answer."""
    known = [term for term in terms if term.sections]
    options = {option[1:].lower() for term in known if (option := find_option(term.lexeme))}
    return {term.lexeme for term in known if term.lexeme in options and len(term.lexeme) == 1 == len(term.positions)}


def find_version_numbers(terms: Sequence[Term]) -> set[str]:
    """Numbers that stand in the question in versions alone, where these are of three or more, or nowhere as they are written: of `1.7.8` 7
    tells nothing. Of two that sections have (`7.4`), they tell the pages whose names have both."""
    numbers = Counter[str]()
    for term in terms:
        is_written = term.elsewhere or (term.sections and not term.is_found_otherwise)
        if IS_VERSION.fullmatch(term.lexeme) and not (is_written and term.lexeme.count(".") == 1):
            numbers.update(find_numbers(term.lexeme) * max(1, len(term.positions)))
    return {term.lexeme for term in terms if 0 < len(term.positions) <= numbers[term.lexeme]}


def weaken_series(terms: Sequence[Term]) -> list[Term]:
    """The series of a version, which every question with one is asked with: of one that is nowhere it tells a little, else nothing."""
    missing = {
        term.lexeme.removeprefix("v").rpartition(".")[0]: not (term.sections or term.elsewhere)
        for term in terms
        if IS_VERSION.fullmatch(term.lexeme) and term.lexeme.count(".") > 1
    }
    weakened = []
    for term in terms:
        is_added = term.lexeme in missing and len(term.positions) == 1
        if is_added and missing[term.lexeme]:
            weakened.append(weaken(term, OF_SERIES))
        elif not is_added:
            weakened.append(term)
    return weakened


def weaken(term: Term, share: float) -> Term:
    return replace(term, idf=share * term.idf, page_idf=share * term.page_idf)


def find_numbers(version: str) -> list[str]:
    """Those of a version that tell nothing by themselves. `15` of `15.4` is what the release may be called."""
    first, *others = parts = VERSION_PART.findall(version)
    return others if len(others) < 3 and len(first) > 1 else parts


def is_stem(lexeme: str, word: str) -> bool:
    """Whether a lexeme is of the word, as far as that is seen: `connect` of `connections`, `retri` of `retry`."""
    return lexeme == word or (len(lexeme) > SHORT_CHARACTERS and word.startswith(lexeme[:-1]))
