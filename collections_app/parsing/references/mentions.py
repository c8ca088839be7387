"""What a page of reStructuredText names of other pages: labels by `:ref:` and `:numref:`, pages by `:doc:` and `toctree`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from collections_app.parsing.references.names import normalise
from collections_app.parsing.references.targets import Kind

HINT = re.compile(rb":(?:(?<=:ref:)|(?<=:numref:)|(?<=:doc:)|(?<=toctree::))")
"""Found in every text that iter_mentions() finds something in."""

MAX_MENTIONS = 10_000
MAX_NAME_CHARACTERS = 1000

_ROLE = re.compile(r":(ref|numref|doc):`([^`]{1,1000})`")
_TOCTREE = re.compile(r"(\s*)\.\. toctree::")
_WITH_TITLE = re.compile(r"[^<>]+<([^<>]*)>$")
_KINDS = {"ref": Kind.LABEL, "numref": Kind.LABEL, "doc": Kind.PAGE}


@dataclass(frozen=True, slots=True)
class Mention:
    kind: Kind
    name: str


def iter_mentions(text: str) -> Iterator[Mention]:
    """Each once, up to MAX_MENTIONS."""
    roles = (_make_mention(_KINDS[match[1]], match[2]) for match in _ROLE.finditer(text))
    entries = (_make_mention(Kind.PAGE, entry) for entry in _iter_entries(text.splitlines()))
    yield from islice(dict.fromkeys([*roles, *entries]), MAX_MENTIONS)


def _make_mention(kind: Kind, words: str) -> Mention:
    match = _WITH_TITLE.match(words)
    name = (match[1] if match else words.lstrip("!~")).strip()
    return Mention(kind, normalise(name) if kind is Kind.LABEL else name)


def _iter_entries(lines: Sequence[str]) -> Iterator[str]:
    """The entries of the toctrees, each of which ends where its lines are no longer indented."""
    indent = -1
    for line in lines:
        entry = line.strip()
        if match := _TOCTREE.match(line):
            indent = len(match[1])
        elif entry and len(line) - len(line.lstrip()) <= indent:
            indent = -1
        elif entry and indent >= 0 and not entry.startswith(":") and len(entry) <= MAX_NAME_CHARACTERS:
            yield entry
