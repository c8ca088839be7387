"""Weighs names of several parts against their parts, which are terms too. PURE."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import NamedTuple

from collections_app.search.terms.term import Term
from collections_app.text.analysis.lexemes import (
    HEADING_MARK,
    LABEL_SEPARATOR,
    find_option,
    is_entry_name,
    is_heading_name,
    is_label,
    split_name,
    split_term,
)
from collections_app.text.analysis.sigils import decode_sigil

# If the other parts of a name are stop words (`on_event`), the remaining part counts only LONE times, as most sections that have it mean
# something else. It does so if it is nowhere else in the question: each part has up to TIMES_OF_A_PART positions from the name alone.
LONE = 0.3
# The weight of an entry's name: its description should come before mentions, without outweighing the rest of a question. What names of a
# single word add is bounded by the rest (ranking/scoring.py).
OF_ENTRY = 0.7
TIMES_OF_A_PART = 2
# How many other words a question may have that asks for identifiers: `how to set OUT_DIR in production`.
WORDS_BESIDE_IDENTIFIERS = 2
DOTTED_NAME = re.compile(r"\w+(?:\.\w+)+")
# The weight of a version's series (`8.2` of `8.2.1`), if no section has the version.
OF_SERIES = 0.3
# A stem of at most this many letters counts only as the word itself.
SHORT_CHARACTERS = 3
# A version, also behind a product's name (`influxdb2.4`).
IS_VERSION = re.compile(r"[a-z-]*\d+(?:\.\d+)+", re.ASCII)
VERSION_PART = re.compile(r"(?<![a-z])v|\d+")


class Names(NamedTuple):
    """Those terms of a question that some section has, and those of them that stand for a name with its number apart.

    `apart`: the name in one word (`soc2`) → its term in parts (`SOC_2`).
    """

    known: Sequence[Term]
    apart: Mapping[str, Term]


def weigh_names(terms: Sequence[Term]) -> Iterator[Term]:
    """The terms, where a name of several parts counts only by how much rarer it is than its parts together, which count too.

    Names find sections in any case. `id_rsa` says hardly more than `id` and `rsa`, nor `-rf` more than `rf`. `OUT_DIR` does: one of its
    parts is a stop word, and the other occurs anywhere. PostgreSQL's parser finds the host and the path of an address beside the whole
    address: counted three times, it would outweigh the rest of the question. But who asks for little else than `VAULT_PASSWORD_FILE` wants
    the sections that have it, not those with a vault, a password and a file: there an identifier counts in full.
    """
    terms = weaken_lone_parts(drop_telling_nothing(weaken_entries(weaken_series(terms))))
    names = find_names(terms)
    asks_for_identifiers = count_other_words(names) <= WORDS_BESIDE_IDENTIFIERS
    for term in drop_no_lack(terms, names):
        is_full = term.is_found_otherwise or (asks_for_identifiers and is_identifier(term.lexeme))
        yield term if is_full else take_off(term, find_parts(term.lexeme, *names))


def find_names(terms: Sequence[Term]) -> Names:
    known = [term for term in terms if term.sections]
    return Names(known, {joined: term for term in known if (joined := join_numbered(term.lexeme))})


def weaken_entries(terms: Sequence[Term]) -> list[Term]:
    return [weaken(term, OF_ENTRY) if is_entry_name(term.lexeme) and not term.entry_word else term for term in terms]


def drop_telling_nothing(terms: Sequence[Term]) -> list[Term]:
    """Without letters of options and numbers of versions, and without a name for what has synonyms: that keeps its weight, for sections
    that have only these, and the name adds nothing."""
    telling_nothing = find_option_letters(terms) | find_version_numbers(terms)
    whole = {term.lexeme for term in terms if term.alternatives}
    return [term for term in terms if term.lexeme not in telling_nothing and join_numbered(term.lexeme) not in whole]


def drop_no_lack(terms: Sequence[Term], names: Names) -> list[Term]:
    """Without terms that no section has and that are no lack: older rows of the index have no added terms, and another spelling may
    occur (`U.S.` as US)."""
    found = {
        *chain.from_iterable(split_name(term.lexeme) for term in names.apart.values()),
        *(term.lexeme for term in names.known),
    }
    return [
        term
        for term in terms
        if term.sections
        or not (is_added(term.lexeme) or term.lexeme in names.apart or term.lexeme.replace(".", "") in found)
    ]


def take_off(term: Term, parts: Sequence[Term]) -> Term:
    """The term with only as much weight as it has beyond its parts."""
    if not parts:
        return term
    idf = term.idf - sum(part.idf for part in parts)
    page_idf = term.page_idf - sum(part.page_idf for part in parts)
    return replace(term, idf=max(idf, 0.0), page_idf=max(page_idf, 0.0))


def is_added(lexeme: str) -> bool:
    """Whether the lexeme was added to the words that PostgreSQL's parser finds."""
    return bool(split_name(lexeme) or find_option(lexeme) or decode_sigil(lexeme) or is_label(lexeme))


def is_identifier(lexeme: str) -> bool:
    """Whether it is a name with underscores or dots (`OUT_DIR`, `asyncio.run`, `config.yaml`)."""
    return bool(split_name(lexeme) or DOTTED_NAME.fullmatch(lexeme) or decode_sigil(lexeme))


def count_other_words(names: Names) -> int:
    """How many words the question has that are no identifier and no part of one."""
    identifiers = [term for term in names.known if is_identifier(term.lexeme)]
    parts = {part.lexeme for term in identifiers for part in find_parts(term.lexeme, *names)}
    return sum(term not in identifiers and term.lexeme not in parts and term.lexeme.isalpha() for term in names.known)


def weaken_lone_parts(terms: Sequence[Term]) -> list[Term]:
    """The terms; weaker are those that are the only part of a name besides stop words and are nowhere else in the question."""
    names = find_names(terms)
    lone = set()
    for term in names.known:
        if words := [part for part in split_name(term.lexeme) if part.isalpha()]:
            parts = find_parts(term.lexeme, *names)
            if len(parts) == 1 < len(words) and len(parts[0].positions) <= TIMES_OF_A_PART:
                lone.add(parts[0].lexeme)
    return [weaken(term, LONE) if term.lexeme in lone else term for term in terms]


def drop_names_within(terms: Sequence[Term]) -> list[Term]:
    """Without names of headings that are part of another heading's name: a question about `not in` is not about `in`."""
    names = [term.lexeme.removeprefix(HEADING_MARK) for term in terms if term.sections and is_heading_name(term.lexeme)]
    parts = {
        part for part in names for name in names if part != name and part + LABEL_SEPARATOR in name + LABEL_SEPARATOR
    }
    return [term for term in terms if term.lexeme.removeprefix(HEADING_MARK) not in parts] if parts else list(terms)


def join_numbered(lexeme: str) -> str:
    """`soc2` for the name `SOC_2`; empty for other terms."""
    parts = split_name(lexeme)
    return "".join(parts) if parts and parts[-1][0].isdigit() else ""


def find_parts(lexeme: str, known: Sequence[Term], apart: Mapping[str, Term]) -> list[Term]:
    """The terms that a name is made of; for a name written as one word (`SOC2`), the name in parts (`SOC_2`), since that includes it."""
    if name := apart.get(lexeme):
        return [name]
    names = split_term(lexeme)
    if not names:
        return []
    return [each for each in known if each.lexeme not in apart and any(is_stem(each.lexeme, part) for part in names)]


def find_option_letters(terms: Sequence[Term]) -> set[str]:
    """Single letters that the question has only as options: if some section has `-h`, an `h` elsewhere is no answer."""
    known = [term for term in terms if term.sections]
    options = {option[1:].lower() for term in known if (option := find_option(term.lexeme))}
    return {term.lexeme for term in known if term.lexeme in options and len(term.lexeme) == 1 == len(term.positions)}


def find_version_numbers(terms: Sequence[Term]) -> set[str]:
    """Numbers that the question has only within versions, and that say nothing by themselves, like the 7 of `1.7.8`.

    The numbers of a version with two parts are kept if some section has it as written (`7.4`): they find the pages with both in their name.
    """
    numbers = Counter[str]()
    for term in terms:
        is_written = term.elsewhere or (term.sections and not term.is_found_otherwise)
        if IS_VERSION.fullmatch(term.lexeme) and not (is_written and term.lexeme.count(".") == 1):
            numbers.update(find_numbers(term.lexeme) * max(1, len(term.positions)))
    return {term.lexeme for term in terms if 0 < len(term.positions) <= numbers[term.lexeme]}


def weaken_series(terms: Sequence[Term]) -> list[Term]:
    """The terms without the series that are added for each version; if no section has the version, its series is kept but weakened."""
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
    """The numbers of a version that say nothing by themselves. (`15` of `15.4` may be the name of the release.)"""
    first, *others = parts = VERSION_PART.findall(version)
    return others if len(others) < 3 and len(first) > 1 else parts


def are_beside(word: str, terms: Sequence[Term]) -> list[bool]:
    """Of each term, whether it is something else than the word, which is the name of an entry, and no such name itself."""
    return [not (is_label(term.lexeme) or is_stem(term.lexeme, word)) for term in terms]


def is_stem(lexeme: str, word: str) -> bool:
    """Whether a lexeme looks like the stem of the word: `connect` of `connections`, `retri` of `retry`."""
    return lexeme == word or (len(lexeme) > SHORT_CHARACTERS and word.startswith(lexeme[:-1]))
