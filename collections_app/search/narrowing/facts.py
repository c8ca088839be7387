"""Conditions that the index can check by itself, with a tsquery of the documents' facts (text/facts.py). PURE.

Rows that the index excludes cost nothing, and the statistics say beforehand how many it leaves.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from collections_app.search.narrowing.filters import METADATA_PREFIX, SAMENESS, Condition
from collections_app.search.tsquery import quote
from collections_app.text.facts import KNOWN, UNTOLD, make_facts

# With more than MAX_ASKED facts, or if the index lacks the facts of more than MOST_UNTOLD of the sections, documents' rows are checked.
MAX_ASKED = 100
MOST_UNTOLD = 0.05


def choose_told(conditions: Sequence[Condition]) -> tuple[Condition, ...]:
    """The conditions that the index can check; none if that would take more than MAX_ASKED facts."""
    told = tuple(filter(is_told, conditions))
    return told if sum(len(list_facts(condition)) for condition in told) <= MAX_ASKED else ()


def is_told(condition: Condition) -> bool:
    """Whether all values of the condition are facts. An empty category or format is none, nor is text that looks like a list or object."""
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
    """Facts of which a document that has one of the condition's values has at least one."""
    return list(dict.fromkeys(fact for value in condition.values for fact in make_facts(condition.field, value)))


def list_lexemes(conditions: Sequence[Condition]) -> list[str]:
    """The lexemes that the statistics must count for has_facts() and estimate_share()."""
    return [KNOWN, UNTOLD, *(fact for condition in conditions for fact in list_facts(condition))]


def write_tsquery(conditions: Sequence[Condition]) -> str:
    """A tsquery that the vectors of sections match if their document meets the conditions, or if its facts are not in the index."""
    return f"({' & '.join(map(write_condition, conditions))} | {quote(UNTOLD)})"


def write_condition(condition: Condition) -> str:
    sign = "!" if condition.is_negation else ""
    return f"{sign}({' | '.join(map(quote, list_facts(condition)))})"


def has_facts(sections: Mapping[str, int], total: int) -> bool:
    """Whether all `total` sections were indexed with facts, and nearly all with complete ones. `sections`: lexeme → how many have it."""
    return sections[KNOWN] == total and sections[UNTOLD] <= MOST_UNTOLD * total


def estimate_share(conditions: Sequence[Condition], sections: Mapping[str, int], total: int) -> float:
    """The part of `total` sections that meets the conditions, rather too high than too low.

    If it is too high, too few candidates come, and more are looked up; if it is too low, too many come and crowd out the best.
    """
    if not conditions or not total:
        return 1.0
    met = min(estimate_condition(condition, sections, total) for condition in conditions)
    return min((met + sections[UNTOLD]) / total, 1.0)


def estimate_condition(condition: Condition, sections: Mapping[str, int], total: int) -> int:
    """In how many sections the condition is met, at most. Sections with several of its values are counted several times; the facts of one
    value count once, since nearly all sections that have one have the other."""
    values = dict.fromkeys(tuple(make_facts(condition.field, value)) for value in condition.values)
    having = [max(sections[fact] for fact in facts) for facts in values]
    return total - max(having) if condition.is_negation else min(sum(having), total)
