"""Identifiers (`asyncio.run`, `useEffect`, `max_connections`, `OUT_DIR`): their parts, and the names with underscores among them. PURE.

PostgreSQL's parser finds of some only the whole, and of others only the parts.
"""

from __future__ import annotations

import re
from functools import lru_cache

IDENTIFIER = re.compile(r"[A-Za-z0-9_](?:[\w\-.$:/]*[A-Za-z0-9_])?", re.ASCII)
IDENTIFIER_PART = re.compile(r"(?<![A-Za-z0-9-])[a-z]+(?:-[a-z]+)+(?![A-Za-z0-9-])|[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
COMPONENT = re.compile(r"[A-Za-z0-9]+")
# Names with a number between letters: `neo4j`, `k8s`, `i18n`.
NUMBERED_NAME = re.compile(r"(?<!\w)[A-Za-z][a-z]{0,11}\d{1,3}[a-z]{1,4}\d{0,2}(?!\w)", re.ASCII)
# Where two parts of a name meet: at a sign, at a capital (`useEffect`), or after an abbreviation (`HTTPSession`); not `URLs` and `OSes`.
JOINED = re.compile(r"[._$:/]|[a-z][A-Z]|[A-Z]{2}(?!es\b)[a-z]{2}")
# Longer identifiers are data, not names; they are not split, so that their parts do not fill the cache.
MAX_IDENTIFIER_CHARACTERS = 200
# The next word that is not plain, behind all plain words before it. One call for them all takes as long as one test of each; beyond Latin,
# every word without ASCII signs is plain.
NOT_PLAIN = re.compile(r"\s*+(?:(?:[A-Z]?[a-z]++|[A-Z]++|[a-z\u0370-\U0010ffff]++)[,.:;]*+(?!\S)\s*+)*+(\S*+)")
NAME = re.compile(r"(?<![A-Za-z0-9])[A-Za-z][A-Za-z0-9]*(?:_+[A-Za-z0-9]+)+", re.ASCII)
# An underscore in a name, as encode_characters() writes it.
NAME_MARK = "x5f"
ENCODED_NAME = re.compile(f"[a-z][a-z0-9]*?(?:{NAME_MARK}[a-z0-9]+?)+")


def drop_plain_words(text: str) -> str:
    """The text without its plain words, with or without punctuation behind them; what is looked for within a word is in the others."""
    return " ".join(filter(None, NOT_PLAIN.findall(text)))


def split_identifiers(text: str) -> list[str]:
    return [part for word in list_identifiers(text) for part in split_identifier(word)]


def split_asked_identifiers(text: str) -> list[str]:
    return [part for word in list_identifiers(text) for part in split_asked_identifier(word)]


def list_identifiers(text: str) -> list[str]:
    """The identifiers that may have parts."""
    return [word for word in IDENTIFIER.findall(text) if len(word) <= MAX_IDENTIFIER_CHARACTERS]


@lru_cache(maxsize=50_000)
def split_identifier(word: str) -> tuple[str, ...]:
    """The parts of an identifier: `asyncio.run` → asyncio, run; `useEffect` → use, Effect; `HTTPSession` → HTTP, Session;
    `max_connections` → max, connections. A plain word has none.

    `client.createConsumer` → client, create, Consumer, and also createConsumer, because PostgreSQL's parser only finds the whole. For
    `log.max-size` it finds the words of `max-size` itself, once it is given that.
    """
    if not JOINED.search(word):
        return ()
    parts = IDENTIFIER_PART.findall(word)
    names = [name for name in COMPONENT.findall(word) if name != word and JOINED.search(name)]
    return (*parts, *names) if len(parts) > 1 else ()


@lru_cache(maxsize=5_000)
def split_asked_identifier(word: str) -> tuple[str, ...]:
    """The same for a question, where a name with a number in it (`neo4j.conf`) is one part: 4 and j say nothing about the subject."""
    names = NUMBERED_NAME.findall(word) if JOINED.search(word) else []
    if not names:
        return split_identifier(word)
    others = IDENTIFIER.findall(NUMBERED_NAME.sub(" ", word))
    return (*names, *(part for other in others for part in split_asked_identifier(other) or [other]))


def encode_names(text: str) -> list[str]:
    """`OUT_DIR` as OUTx5fDIR: with a digit in it, no language has a stem or a stop word for it."""
    words = (word for word in text.split() if "_" in word) if "_" in text else ()  # which most have not
    names = (name for word in words for name in NAME.findall(word) if len(name) <= MAX_IDENTIFIER_CHARACTERS)
    return [NAME_MARK.join(filter(None, name.split("_"))) for name in names]
