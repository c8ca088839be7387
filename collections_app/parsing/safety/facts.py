"""Applies the content policy to a document's facts (title, description, keywords, category, metadata) and looks at its path.

A value addressed to a model is removed as a whole: these values are shown in lists, where a note would say nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any
from urllib.parse import unquote

from collections_app.parsing.documents import ContentPolicy, Finding, FindingKind, NormalisedText
from collections_app.parsing.safety.instructions import has_instructions
from collections_app.parsing.safety.invisible import has_invisible_characters, strip_invisible
from collections_app.parsing.safety.prose import make_excerpt


def clean_facts(text: NormalisedText, policy: ContentPolicy) -> tuple[NormalisedText, list[Finding]]:
    """The text with its facts cleaned, and the findings in them (with line -1). The content is not touched."""
    facts = [text.title, text.description, *text.keywords, text.category, text.metadata]
    joined = "\n".join(_iter_texts(facts))
    if not joined.strip() or not (has_invisible_characters(joined) or has_instructions(joined)):
        return text, []
    findings = _find_in(facts, policy)
    if policy is ContentPolicy.FLAG:
        return text, findings
    clean = partial(clean_fact, policy=policy)
    cleaned = replace(
        text,
        title=clean(text.title),
        description=clean(text.description),
        keywords=tuple(filter(None, map(clean, text.keywords))),
        category=clean(text.category),
        metadata=_map_texts(dict(text.metadata), clean),
    )
    return cleaned, findings


def _find_in(facts: list[Any], policy: ContentPolicy) -> list[Finding]:
    findings = []
    for each in _iter_texts(facts):
        stripped, taken = strip_invisible(each)
        if taken:
            was_stripped = policy is not ContentPolicy.FLAG
            findings.append(Finding(FindingKind.INVISIBLE_CHARACTERS, -1, make_excerpt(stripped), was_stripped))
        if has_instructions(stripped):
            was_dropped = policy is ContentPolicy.STRIP
            findings.append(Finding(FindingKind.INSTRUCTIONS, -1, make_excerpt(stripped), was_dropped))
    return findings


def clean_fact(text: str, policy: ContentPolicy) -> str:
    """The value as the policy leaves it; empty if it is dropped."""
    if policy is ContentPolicy.FLAG:
        return text
    stripped, _ = strip_invisible(text)
    return "" if policy is ContentPolicy.STRIP and has_instructions(stripped) else stripped


def find_in_path(path: str) -> list[Finding]:
    """The findings in a path, after percent-decoding. A document keeps its path, whatever it says."""
    return _find_in([unquote(path)], ContentPolicy.FLAG)


def _iter_texts(value: Any) -> Iterator[str]:
    """The texts of a JSON value, keys included."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from (text for item in value.items() for each in item for text in _iter_texts(each))
    elif isinstance(value, list):
        yield from (text for each in value for text in _iter_texts(each))


def _map_texts(value: Any, change: Callable[[str], str]) -> Any:
    match value:
        case str():
            return change(value)
        case dict():
            return {change(key): _map_texts(each, change) for key, each in value.items()}
        case list():
            return [_map_texts(each, change) for each in value]
    return value
