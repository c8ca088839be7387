"""What the index knows of a section's document beside its words: facts, each a lexeme made of a field and a value. PURE.

Ingest indexes the facts of each document with all of its sections, filters ask by them. Texts are the same in any case, and numbers as
numbers: 2 has one of its facts in common with 2.0, and one with "2". Conditions that look at a document's row
(search/narrowing/filters.py) mean the same, but PostgreSQL folds case there, by its locale.
"""

from __future__ import annotations

import json
from base64 import urlsafe_b64encode
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from hashlib import blake2b
from typing import Any, Protocol

# PostgreSQL's parser makes no word that begins so.
FACT_MARK = "="
# Every vector has this one, but those that were made before there were facts.
KNOWN = FACT_MARK
# The text of a value may be long, and stands in each section's row: a digest that no two of a million values are likely to share.
DIGEST_BYTES = 9
# They stand in each of the document's vectors, which are to stay small.
MAX_FACTS = 64
# A document of more facts has this one instead: what it says has to be looked up.
UNTOLD = f"{FACT_MARK}?"

Value = str | int | float | bool


class DocumentFacts(Protocol):
    @property
    def category(self) -> str: ...

    @property
    def format(self) -> str: ...

    @property
    def keywords(self) -> Sequence[str]: ...

    @property
    def metadata(self) -> Mapping[str, Any]: ...


def make_document_facts(document: DocumentFacts) -> list[str]:
    """Those of its category, its format, its keywords and its metadata, a list by its items. No category has none, nor what is nested."""
    facts = dict.fromkeys(fact for name, value in iter_values(document) for fact in make_facts(name, value))
    return [KNOWN, *(facts if len(facts) <= MAX_FACTS else [UNTOLD])]


def iter_values(document: DocumentFacts) -> Iterator[tuple[str, Value]]:
    yield from ((name, value) for name in ("category", "format") if (value := getattr(document, name)))
    yield from (("keywords", keyword) for keyword in document.keywords)
    for key, value in document.metadata.items():
        items = value if isinstance(value, list) else [value]
        yield from ((f"metadata.{key}", item) for item in items if isinstance(item, Value))


def make_facts(field: str, value: Value) -> list[str]:
    """Two values of a field are the same if they have one in common."""
    written = write_value(value)
    if isinstance(value, str | bool):
        return [make_fact(field, written.lower())]
    number = written.rstrip("0").rstrip(".") if "." in written else written
    return [make_fact(field, written), make_fact(f"number of {field}", number)]


def write_value(value: Value) -> str:
    """As PostgreSQL writes what it keeps as JSON: no exponents, no −0."""
    if isinstance(value, str):
        return value
    return json.dumps(value) if isinstance(value, bool) else f"{Decimal(str(value or abs(value))):f}"


def make_fact(field: str, text: str) -> str:
    digest = blake2b(f"{field}\0{text}".encode(errors="replace"), digest_size=DIGEST_BYTES).digest()
    return f"{FACT_MARK}{urlsafe_b64encode(digest).decode()}"
