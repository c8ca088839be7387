"""The head of a file that is included: the fields before its text, by which Sphinx makes no page of its own of it; and whether it has text
at all. It reads no file.
"""

from __future__ import annotations

import re
from dataclasses import replace

from collections_app.parsing.includes.excerpts import Excerpt

_MAX_CHARACTERS = 2000
_FIELDS = re.compile(r"(?:[ \t\r]*\n|:[\w-]+:(?:[ \t][^\n]*)?\r?\n(?:[ \t]+\S[^\n]*\n)*+)*+")
_FIELD = re.compile(r"^:(?:orphan|nosearch):", re.MULTILINE)
_FRONT_MATTER = re.compile(r"---[ \t\r]*\n(?:(?!---|\.\.\.)[^\n]*\n)*?(?:orphan|nosearch):[ \t]+[Tt]rue\b")
# A target, a substitution, a comment; what belongs to it is indented.
_DEFINITION = re.compile(r"[ \t\r]|\.\.[ \t]+(?:[_|]|(?!\S+::))|\.\.\s*$|$")


def only_defines(text: str) -> bool:
    """Whether reStructuredText has nothing but addresses, substitutions and comments: no reader sees it."""
    return all(map(_DEFINITION.match, text.split("\n")))


def is_orphan(text: str) -> bool:
    """Whether no table of contents has it (`:orphan:`), or no search of its site (`:nosearch:`): in reStructuredText and in MyST."""
    return _FIELD.search(_get_fields(text)) is not None or _FRONT_MATTER.match(text[:_MAX_CHARACTERS]) is not None


def is_all_text(text: str, excerpt: Excerpt) -> bool:
    """Whether the excerpt of the file has all of its text: nothing but fields is before it."""
    word = excerpt.start_after
    return replace(excerpt, start_after="").is_whole and 0 <= text.find(word) <= len(_get_fields(text)) - len(word)


def _get_fields(text: str) -> str:
    found = _FIELDS.match(text[:_MAX_CHARACTERS])
    return found[0] if found else ""
