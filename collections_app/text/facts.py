"""Facts: what the index knows about a section's document besides its words, each a lexeme made of a field and a value. PURE.

Ingest indexes the facts of each document with all its sections, and filters search by them. Texts are compared ignoring case, and numbers
as numbers: 2 has one fact in common with 2.0, and another one with "2". Conditions on a document's row (search/narrowing/filters.py) mean
the same, except that PostgreSQL folds case there, by its locale.
"""

from __future__ import annotations

import json
from base64 import urlsafe_b64encode
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from hashlib import blake2b
from typing import Any, Protocol

# PostgreSQL's parser makes no word that begins like this.
FACT_MARK = "="
# Every vector has this fact, except those made before there were facts.
KNOWN = FACT_MARK
# Values may be long and are stored with each section, so they are hashed. With this length no two of a million values are likely to
# collide.
DIGEST_BYTES = 9
# Facts are in each of the document's vectors, which should stay small.
MAX_FACTS = 64
# A document with more facts has this one instead: conditions on it have to be checked in its row.
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
    """The facts of a document's category, format, keywords and metadata; of a list, those of its items.

    An empty category or format has none, nor has nested metadata.
    """
    facts = dict.fromkeys(fact for name, value in iter_values(document) for fact in make_facts(name, value))
    return [KNOWN, *(facts if len(facts) <= MAX_FACTS else [UNTOLD])]


def iter_values(document: DocumentFacts) -> Iterator[tuple[str, Value]]:
    yield from ((name, value) for name in ("category", "format") if (value := getattr(document, name)))
    yield from (("keywords", keyword) for keyword in document.keywords)
    for key, value in document.metadata.items():
        items = value if isinstance(value, list) else [value]
        yield from ((f"metadata.{key}", item) for item in items if isinstance(item, Value))


def make_facts(field: str, value: Value) -> list[str]:
    """The facts of a value. Two values of a field are equal if they have a fact in common."""
    written = write_value(value)
    if isinstance(value, str | bool):
        return [make_fact(field, written.lower())]
    number = written.rstrip("0").rstrip(".") if "." in written else written
    return [make_fact(field, written), make_fact(f"number of {field}", number)]


def write_value(value: Value) -> str:
    """The value as PostgreSQL writes it in JSON: no exponents, no −0."""
    if isinstance(value, str):
        return value
    return json.dumps(value) if isinstance(value, bool) else f"{Decimal(str(value or abs(value))):f}"


def make_fact(field: str, text: str) -> str:
    digest = blake2b(f"{field}\0{text}".encode(errors="replace"), digest_size=DIGEST_BYTES).digest()
    return f"{FACT_MARK}{urlsafe_b64encode(digest).decode()}"
