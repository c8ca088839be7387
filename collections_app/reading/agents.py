"""What to tell an agent about a collection, for a project's AGENTS.md: that it is there, how to ask it, and what is in it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from collections_app.models import Collection
from collections_app.reading.navigation import Group
from collections_app.shortening import shorten

# An index of what there is helps more than a tool that has to be thought of; it costs this much in each conversation.
INDEX_CHARACTERS = 4_000
TITLE_CHARACTERS = 80


def write_agents_snippet(collection: Collection, endpoint: str, groups: Sequence[Group], total: int) -> str:
    """Markdown. Of `total` pages as many are named as there is room for."""
    name = shorten(collection.name, TITLE_CHARACTERS)
    version = f", version {collection.version}" if collection.version else ""
    description = f" {shorten(collection.description, 300)}" if collection.description else ""
    lines = [
        f"## Documentation: {name}{version}",
        "",
        f"The MCP server docsmcp ({endpoint}) has it as the collection `{collection.slug}`.{description}",
        "Look things up there before you answer or write code about it; do not answer from memory:",
        "",
        "1. `search_docs` with words of the question gives sections, best first.",
        "2. `read_sections` with their path and section ids gives their text; `table_of_contents` shows what else a page has.",
        "3. Name the page that an answer comes from. When nothing is found, say so.",
    ]
    index = list(iter_index(groups))
    return "\n".join([*lines, "", f"{total} pages{', among them' if len(index) < total else ''}:", "", *index]) + "\n"


def iter_index(groups: Sequence[Group]) -> Iterator[str]:
    """Path and title, of every category the first."""
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
