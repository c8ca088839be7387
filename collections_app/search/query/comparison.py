"""Finds what a question compares: `difference between push and pull consumers`, `Start-Job vs Start-ThreadJob`. PURE.

Few sections are about both sides, and those about the side with the rarer name would take all places.
"""

from __future__ import annotations

import re

MOST_WORDS = 5
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
QUOTES = "\"'“”‘’ "
NUMBER = re.compile(r"[vV]?\d[\w.]*")


def find_sides(text: str) -> tuple[str, ...]:
    """The two things that are compared, as written; empty if nothing is compared or a side has too many words."""
    found = next(filter(None, (pattern.search(text) for pattern in (BETWEEN, COMPARED, AGAINST, EITHER))), None)
    if not found:
        return ()
    one, other = clean(found["one"]), clean(found["other"])
    other = add_name(one, other)
    counts = sorted(len(side.split()) for side in (one, other))
    if not (0 < counts[0] <= counts[1] <= MOST_WORDS) or one.lower() == other.lower():
        return ()
    # What stands before a lone `vs` is not told apart from what leads to it: `memory in jibs vs genoas`.
    if found.re is AGAINST and (counts[1] - counts[0] > MOST_UNEVEN or not found["one"].rstrip(QUOTES).endswith(one)):
        return ()
    return (one if LEADING.match(found["other"]) else add_last(one, other), other)


def add_name(one: str, other: str) -> str:
    """The other side; a lone number with the name of the first, that ends in one: `sails 2 and 3`."""
    *name, number = one.split() or [""]
    return " ".join([*name, other]) if NUMBER.fullmatch(number) and NUMBER.fullmatch(other) else other


def add_last(one: str, other: str) -> str:
    """The first side; a lone word without signs is one with the last of the other side, that has no article: `push and pull consumers`."""
    words = other.split()
    return f"{one} {words[-1]}" if one.isalpha() and len(words) > 1 and words[-1].isalpha() else one


def clean(side: str) -> str:
    """Without what leads to it and follows it."""
    return TRAILING.sub("", LEADING.sub("", side.strip())).strip(QUOTES)
