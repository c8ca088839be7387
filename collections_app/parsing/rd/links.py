"""Links to other topics of R's help, where the source has their pages."""

from __future__ import annotations

from collections_app.parsing.rd.shown import get_words
from collections_app.parsing.rd.syntax import Macro, Pieces
from collections_app.parsing.references.rd import name_topic
from collections_app.parsing.references.targets import Kind, Targets

_LINKS = frozenset({"link", "linkS4class"})


def write_links(pieces: Pieces, targets: Targets) -> Pieces:
    r"""The pieces with `\href` in place of links to pages that are known."""
    return [piece if isinstance(piece, str) else _write_link(piece, targets) for piece in pieces] if targets else pieces


def _write_link(macro: Macro, targets: Targets) -> Macro:
    arguments = [write_links(each, targets) for each in macro.arguments]
    if macro.name in _LINKS:
        topic = name_topic(macro.name, macro.option, get_words(macro.get(0)).strip())
        if target := targets.get((Kind.LABEL, topic)):
            return Macro("href", arguments=[[target.address], *arguments])
    return Macro(macro.name, macro.option, arguments)


def find_link(pieces: Pieces) -> str:
    """The address that all links in these lead to; empty if they lead to several, or there are none."""
    addresses = {get_words(piece.get(0)) for piece in pieces if isinstance(piece, Macro) and piece.name == "href"}
    return addresses.pop() if len(addresses) == 1 else ""
