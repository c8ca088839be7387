"""Conditions that the index tells by itself: a tsquery of the documents' facts (text/facts.py). PURE.

Rows that it leaves out cost nothing, and the statistics say beforehand how many it leaves.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from collections_app.search.narrowing.filters import METADATA_PREFIX, SAMENESS, Condition
from collections_app.search.tsquery import quote
from collections_app.text.facts import KNOWN, UNTOLD, make_facts

# With more the documents are looked at; so they are where more than this part of them is not told of.
MAX_ASKED = 100
MOST_UNTOLD = 0.05


def choose_told(conditions: Sequence[Condition]) -> tuple[Condition, ...]:
    """Those that the index tells, or none where that took too many facts."""
    told = tuple(filter(is_told, conditions))
    return told if sum(len(list_facts(condition)) for condition in told) <= MAX_ASKED else ()


def is_told(condition: Condition) -> bool:
    """Whether it is about values that are facts: no category or format has none, nor has what is written like a list or an object."""
    if condition.field in ("category", "format"):
        return condition.operator in SAMENESS and "" not in condition.values
    if condition.field == "keywords":
        return condition.operator in (*SAMENESS, "$contains")
    return (
        condition.field.startswith(METADATA_PREFIX)
        and condition.operator in SAMENESS
        and not any(isinstance(value, str) and value[:1] in ("[", "{") for value in condition.values)
    )


def list_facts(condition: Condition) -> list[str]:
    """Of a document that has a value of the condition: one of these."""
    return list(dict.fromkeys(fact for value in condition.values for fact in make_facts(condition.field, value)))


def list_lexemes(conditions: Sequence[Condition]) -> list[str]:
    """What the statistics are to count for has_facts() and estimate_share()."""
    return [KNOWN, UNTOLD, *(fact for condition in conditions for fact in list_facts(condition))]


def write_tsquery(conditions: Sequence[Condition]) -> str:
    """What the vector of each section matches whose document meets the conditions; also that of one whose facts are not told."""
    return f"({' & '.join(map(write_condition, conditions))} | {quote(UNTOLD)})"


def write_condition(condition: Condition) -> str:
    sign = "!" if condition.is_negation else ""
    return f"{sign}({' | '.join(map(quote, list_facts(condition)))})"


def has_facts(sections: Mapping[str, int], total: int) -> bool:
    """Whether so many sections have them, of nearly all of their documents. `sections`: by lexeme, as the statistics count them."""
    return sections[KNOWN] == total and sections[UNTOLD] <= MOST_UNTOLD * total


def estimate_share(conditions: Sequence[Condition], sections: Mapping[str, int], total: int) -> float:
    """What part of so many sections meets the conditions, rather too much than too little: where too few candidates come of it, more are
    looked up, but too many crowd out the best.
    """
    if not conditions or not total:
        return 1.0
    met = min(estimate_condition(condition, sections, total) for condition in conditions)
    return min((met + sections[UNTOLD]) / total, 1.0)


def estimate_condition(condition: Condition, sections: Mapping[str, int], total: int) -> int:
    """In how many sections it is met. Some may have several of its values; nearly all that have one fact of a value have the other."""
    values = dict.fromkeys(tuple(make_facts(condition.field, value)) for value in condition.values)
    having = [max(sections[fact] for fact in facts) for facts in values]
    return total - max(having) if condition.is_negation else min(sum(having), total)
