"""Finds passages addressed to a model instead of a reader, with the rules of rules.py. Of the context, only the words close by are judged.

Each start of a rule is searched as a substring first, so most texts cost little; the time is linear in the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from collections_app.parsing.safety.reading import read
from collections_app.parsing.safety.rules import RULES, Rule

# By the substring that they need, then by their starts.
_RULES: dict[str, dict[str, list[Rule]]] = {}
for _rule in RULES:
    for _start in _rule.starts:
        _RULES.setdefault(_rule.needed, {}).setdefault(_start, []).append(_rule)

_BEFORE_CHARACTERS = 40

_ALL = re.compile(r"\b(?:all|any|every|each)\b")
_ALLOWED_OR_REPORTED = re.compile(
    r"(?:\b(?:can|may|might|could|would|safely|simply|to|just|users?|attackers?|people|who|not|then|either|will|cannot)"
    r"|n't|n’t)[\W_]{1,4}\Z"
)
_CONDITION = re.compile(r"[^.!?]{0,40}?\b(?:if|unless|when|for|on)\b")


def iter_instructions(text: str) -> Iterator[tuple[int, int]]:
    """Where each instruction to a model begins and ends, as offsets in `text`; unordered, some of them twice. The text is searched as it is
    written and as readers see it.
    """
    yield from _iter_in(text)
    if reading := read(text):
        for start, end in _iter_in(reading.text):
            yield reading.find_source(start), reading.find_source(end - 1) + 1


def _iter_in(text: str) -> Iterator[tuple[int, int]]:
    lowered = text.replace("İ", "I").lower()  # the only letter whose lower case is longer, which would move the offsets
    for needed, rules_by_start in _RULES.items():
        if needed in lowered:
            for start, rules in rules_by_start.items():
                if start in lowered:
                    yield from _iter_starting(lowered, start, rules)


def _iter_starting(lowered: str, start: str, rules: Sequence[Rule]) -> Iterator[tuple[int, int]]:
    within_words = [rule for rule in rules if rule.is_anywhere]
    offset = lowered.find(start)
    while offset >= 0:
        for rule in within_words if lowered[offset - 1 : offset].isalnum() else rules:
            if (end := _match(rule, lowered, offset)) is not None:
                yield offset, end
        offset = lowered.find(start, offset + len(start))


def has_instructions(text: str) -> bool:
    return next(iter_instructions(text), None) is not None


def _match(rule: Rule, lowered: str, offset: int) -> int | None:
    match = rule.pattern.match(lowered, offset)
    if match is None:
        return None
    before = lowered[max(0, offset - _BEFORE_CHARACTERS) : offset]
    if not rule.before.search(before) or (rule.is_said_to_readers and _is_said_to_readers(match, before)):
        return None
    return match.end()


def _is_said_to_readers(match: re.Match[str], before: str) -> bool:
    if _ALL.search(match[0]):
        return False
    return bool(_ALLOWED_OR_REPORTED.search(before) or _CONDITION.match(match.string, match.end()))
