"""A collection's pages, path and title, in few enough lines for an agent to be given at the start of each conversation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from collections_app.reading.navigation import Group
from collections_app.text.shortening import shorten

INDEX_CHARACTERS = 4_000
TITLE_CHARACTERS = 80


def iter_index(groups: Sequence[Group]) -> Iterator[str]:
    """The first entry of every category, then the second of every category, as far as there is room."""
    left = INDEX_CHARACTERS
    rounds = max((len(group.leaves) for group in groups), default=0)
    for turn in range(rounds):
        for group in groups:
            if turn >= len(group.leaves):
                continue
            leaf = group.leaves[turn]
            line = f"- `{leaf.path}` {shorten(leaf.title, TITLE_CHARACTERS)}"
            left -= len(line) + 1
            if left < 0:
                return
            yield line
