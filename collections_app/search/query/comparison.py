"""Finds what a question compares: `difference between push and pull consumers`, `Start-Job vs Start-ThreadJob`. PURE.

Few sections are about all sides, and those about the side with the rarest name would take all places.
"""

from __future__ import annotations

import re

MOST_WORDS = 5
# Each of them is looked up and ranked by itself.
MOST_SIDES = 4
# With only one word between the sides, the longer side may have words that are not compared: `default port http vs grpc`.
MOST_UNEVEN = 1
# Except in the name of an editor.
VERSUS = r"vs\.?(?!\ code\b)|versus"
# `between A and B` in the languages whose documents are searched most, and what stands between the sides of others.
BETWEEN = re.compile(
    rf"""\b(?:differences?|distinction|comparison|choos(?:e|ing)|choice|unterschiede?|différences?|diferencias?|differenz[ae]|diferenças?)
        \ (?:between|of|zwischen|entre|tra|fra)\ (?P<one>.+?)\ (?:and|or|{VERSUS}|und|et|y|e)\ (?P<other>.+)""",
    re.VERBOSE | re.IGNORECASE,
)
COMPARED = re.compile(
    rf"\bcompar(?:e|es|ed|ing|ison of)\ (?!(?:and|to|with|against)\b)(?P<one>.+?)\ (?:and|to|with|against|{VERSUS})\ (?P<other>.+)",
    re.VERBOSE | re.IGNORECASE,
)
AGAINST = re.compile(
    rf"\A(?P<one>.+?)\ (?:{VERSUS}|(?:is\ )?compare[sd]?\ (?:to|with)|(?:is\ )?different\ from)\ (?P<other>.+)",
    re.VERBOSE | re.IGNORECASE,
)
# Not `use version 2 or later`.
EITHER = re.compile(
    r"""\b(?:use|using|choose|prefer|pick|better[:,]?)\ (?P<one>.+?)\ or
        \ (?!(?:not|none|more|less|fewer|later|newer|older|earlier|higher|lower|greater|above|below|an?other|others?|else|both|all)\b)
        (?P<other>.+)""",
    re.VERBOSE | re.IGNORECASE,
)
# What leads to the first side, and what follows the second.
LEADING = re.compile(
    r"""^(?:(?:what|when|why|where|which|how|who|should|shall|must|can|could|would|do|does|is|are|i|we|you|one|to|use|using|prefer|choose|
        explain|describe|tell|me|the|a|an|it|about|difference|differences|comparison|better|best)(?:[:,]?\ +|$))+""",
    re.VERBOSE | re.IGNORECASE,
)
TRAILING = re.compile(
    r"(?:[?,;:]| - | – |\.(?=\s|$)| (?:in|on|for|when|with|which|what|how|if|because|and|or|at|from|to|as|is|are)\b).*",
    re.DOTALL,
)
# Between the things of a list, and what follows a comma that is none.
COMMA = re.compile(r",\ +(?=\S)")
CLAUSE = re.compile(
    r"(?:and|or|but|who|that|where|so|i|we|you|it|they|in|on|for|when|with|which|if|because|as)\b", re.IGNORECASE
)
AGAIN = re.compile(rf"\ (?:{VERSUS})\ ", re.IGNORECASE)
QUOTES = "\"'“”‘’ "
NUMBER = re.compile(r"[vV]?\d[\w.]*")


def find_sides(text: str) -> tuple[str, ...]:
    """The things that are compared, two to MOST_SIDES, as written; empty if nothing is compared or a thing has too many words."""
    found = next(filter(None, (pattern.search(text) for pattern in (BETWEEN, COMPARED, AGAINST, EITHER))), None)
    if not found:
        return ()
    sides = find_listed(found) or find_two(found)
    is_short = all(0 < len(side.split()) <= MOST_WORDS for side in sides)
    return sides if is_short and len({side.lower() for side in sides}) == len(sides) else ()


def is_comparing(word: str) -> bool:
    """Whether the word only stands between what is compared."""
    return word.lower().rstrip(".") in ("vs", "versus")


def find_listed(found: re.Match[str]) -> tuple[str, ...]:
    """The things of a list: `jibs, genoas and spinnakers`, `a vs b vs c`; empty if it is none, or what follows a comma is no thing."""
    one, other = found["one"], found["other"]
    named = [one, *AGAIN.split(other)] if found.re is AGAINST else [*COMMA.split(one), other]
    first, *others = map(clean, named)
    sides = [first, *(add_name(first, each) for each in others)]
    if not 2 < len(sides) <= MOST_SIDES or any(map(CLAUSE.match, named[1:])):
        return ()
    if found.re is AGAINST and not one.rstrip(QUOTES).endswith(sides[0]):
        return ()
    return (*(share_last(side, named[-1], sides[-1]) for side in sides[:-1]), sides[-1])


def find_two(found: re.Match[str]) -> tuple[str, ...]:
    one, other = clean(found["one"]), clean(found["other"])
    other = add_name(one, other)
    fewer, more = sorted(len(side.split()) for side in (one, other))
    # What stands before a lone `vs` is not told apart from what leads to it: `memory in jibs vs genoas`.
    if found.re is AGAINST and (more - fewer > MOST_UNEVEN or not found["one"].rstrip(QUOTES).endswith(one)):
        return ()
    return (share_last(one, found["other"], other), other)


def add_name(one: str, other: str) -> str:
    """The other side; a lone number with the name of the first, that ends in one: `sails 2 and 3`."""
    *name, number = one.split() or [""]
    return " ".join([*name, other]) if NUMBER.fullmatch(number) and NUMBER.fullmatch(other) else other


def share_last(side: str, last: str, cleaned: str) -> str:
    """The side; a lone word without signs is one with the last of the last side, if that has no article: `push and pull consumers`.

    `last`: the last side as written, `cleaned` as it is compared.
    """
    words = cleaned.split()
    is_shared = side.isalpha() and len(words) > 1 and words[-1].isalpha() and not LEADING.match(last)
    return f"{side} {words[-1]}" if is_shared else side


def clean(side: str) -> str:
    """Without what leads to it and follows it."""
    return TRAILING.sub("", LEADING.sub("", side.strip())).strip(QUOTES)
