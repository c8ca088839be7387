"""What a question compares: `difference between push and pull consumers`, `Start-Job vs Start-ThreadJob`. PURE.

Few sections speak of both, and those of the side with the rarer name would take all places.
"""

from __future__ import annotations

import re

MOST_WORDS = 5
# Where only one word stands between the sides, the longer one may be more than is compared: `default port http vs grpc`.
MOST_UNEVEN = 1
# `between A and B` in the languages whose documents are searched most, and what stands between the sides of others.
BETWEEN = re.compile(
    r"""\b(?:differences?|distinction|comparison|choos(?:e|ing)|choice|unterschiede?|différences?|diferencias?|differenz[ae]|diferenças?)
        \ (?:between|of|zwischen|entre|tra|fra)\ (?P<one>.+?)\ (?:and|or|vs\.?|versus|und|et|y|e)\ (?P<other>.+)""",
    re.VERBOSE | re.IGNORECASE,
)
COMPARED = re.compile(
    r"\bcompar(?:e|es|ed|ing|ison of)\ (?!to\b|with\b|against\b)(?P<one>.+?)\ (?:and|to|with|against|vs\.?|versus)\ (?P<other>.+)",
    re.VERBOSE | re.IGNORECASE,
)
AGAINST = re.compile(
    r"\A(?P<one>.+?)\ (?:vs\.?|versus|(?:is\ )?compare[sd]?\ (?:to|with)|(?:is\ )?different\ from)\ (?P<other>.+)",
    re.VERBOSE | re.IGNORECASE,
)
EITHER = re.compile(
    r"\b(?:use|using|choose|prefer|pick|better[:,]?)\ (?P<one>.+?)\ or\ (?P<other>.+)", re.VERBOSE | re.IGNORECASE
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


def find_sides(text: str) -> tuple[str, ...]:
    """The two things that are compared, as they are written; none if nothing is, or if that is not told in a few words each.

    A lone first word without signs is one with the last of the other side, if that has no article: `push and pull consumers`.
    """
    found = next(filter(None, (pattern.search(text) for pattern in (BETWEEN, COMPARED, AGAINST, EITHER))), None)
    if not found:
        return ()
    sides = [clean(found["one"]), clean(found["other"])]
    words = [side.split() for side in sides]
    counts = sorted(map(len, words))
    is_uneven = found.re is AGAINST and counts[1] - counts[0] > MOST_UNEVEN
    if not (0 < counts[0] <= counts[1] <= MOST_WORDS) or is_uneven or sides[0].lower() == sides[1].lower():
        return ()
    if (
        len(words[0]) == 1 < len(words[1])
        and words[0][0].isalpha()
        and words[1][-1].isalpha()
        and not LEADING.match(found["other"])
    ):
        sides[0] += f" {words[1][-1]}"
    return tuple(sides)


def clean(side: str) -> str:
    """Without what leads to it and follows it."""
    return TRAILING.sub("", LEADING.sub("", side.strip())).strip("\"'“”‘’ ")
