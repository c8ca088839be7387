"""What a reStructuredText page refers to in others: labels by `:ref:` and `:numref:`, pages by `:doc:`, `:pep:` and `toctree`, both by the
cards and buttons of sphinx-design.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from collections_app.parsing.hints import Hint
from collections_app.parsing.references.names import normalise
from collections_app.parsing.references.targets import Kind
from collections_app.parsing.sphinx.markup import find_pep_page

HINT = Hint(rb":(?:(?<=:ref:)|(?<=:numref:)|(?<=:doc:)|(?<=:pep:)|(?<=toctree::)|(?<=:link:)|(?<=button-ref::))")
"""Is in every text in which iter_mentions() finds something."""

MAX_MENTIONS = 10_000
MAX_NAME_CHARACTERS = 1000

_ROLE = re.compile(r":(ref|numref|doc|pep):`([^`]{1,1000})`")
_TOCTREE = re.compile(r"(\s*)\.\.[ \t]+toctree::")
_NAMED = re.compile(r"^[ \t]*(?::link:|\.\.[ \t]+button-ref::)[ \t]+([^\s:]{1,1000})[ \t]*$", re.MULTILINE)
_WITH_TITLE = re.compile(r"[^<>]+<([^<>]*)>$")
_KINDS = {"ref": Kind.LABEL, "numref": Kind.LABEL, "doc": Kind.PAGE, "pep": Kind.PAGE}


@dataclass(frozen=True, slots=True)
class Mention:
    """`needs_title`: what the page writes depends on what the other page says, not only on whether there is one."""

    kind: Kind
    name: str
    needs_title: bool = True


def iter_mentions(text: str) -> Iterator[Mention]:
    """The pages and labels, each once, up to MAX_MENTIONS."""
    roles = (_make_mention(match[1], match[2]) for match in _ROLE.finditer(text))
    entries = (_make_mention("doc", entry) for entry in _iter_entries(text.splitlines()))
    named = (_make_mention(role, match[1]) for match in _NAMED.finditer(text) for role in ("doc", "ref"))
    found = dict.fromkeys(mention for mention in (*roles, *entries, *named) if mention.name)
    yield from islice(found, MAX_MENTIONS)


def _make_mention(role: str, words: str) -> Mention:
    match, kind = _WITH_TITLE.match(words), _KINDS[role]
    name = (match[1] if match else words.lstrip("!~")).strip()
    if role == "pep":
        name = find_pep_page(name.partition("#")[0])
    return Mention(kind, normalise(name) if kind is Kind.LABEL else name)


def _iter_entries(lines: Sequence[str]) -> Iterator[str]:
    """The entries of toctrees, each of which ends where its lines are no longer indented."""
    indent = -1
    for line in lines:
        entry = line.strip()
        if match := _TOCTREE.match(line):
            indent = len(match[1])
        elif entry and len(line) - len(line.lstrip()) <= indent:
            indent = -1
        elif entry and indent >= 0 and not entry.startswith(":") and len(entry) <= MAX_NAME_CHARACTERS:
            yield entry
