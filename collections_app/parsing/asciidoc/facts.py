"""What the lines above a block or section say about it. It does not read the block itself."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from collections_app.parsing.asciidoc.attribute_lists import AttributeList, read_attribute_list
from collections_app.parsing.asciidoc.lines import BLOCK_ANCHOR

_ANCHOR = re.compile(r"\[\[(?P<id>[\w:][\w:.-]{0,300})(?:,[^\[\]]{0,300})?\]\]")
_MAX_LINES = 50
"""Lines above one block: each is combined with all lines before it."""


@dataclass(slots=True)
class BlockFacts:
    """What is said about a block. `id_text` has the words for references to it."""

    attributes: AttributeList = field(default_factory=AttributeList)
    title: str = ""
    id: str = ""
    id_text: str = ""
    _lines_left: int = _MAX_LINES

    def take_line(self, line: str) -> None:
        """Add a line that match_block_attributes() recognises. If there are too many, the first ones count."""
        if not self._lines_left:
            return
        self._lines_left -= 1
        if anchor := BLOCK_ANCHOR.match(line):
            self.id, self.id_text = anchor["id"] or "", anchor["text"] or self.id_text
            return
        self.attributes = self.attributes.add(read_attribute_list(line[1:-1]))
        self.id = self.attributes.id or self.id
        self.id_text = self.attributes.named.get("reftext") or self.id_text

    def take_anchor(self, title: str) -> str:
        """The title of a section without an anchor at its beginning or end. The anchor counts unless a line above has one."""
        for place in (0, title.rfind("[[")):
            anchor = _ANCHOR.match(title, place) if place >= 0 else None
            if anchor and (place == 0 or anchor.end() == len(title)) and len(anchor[0]) < len(title):
                title = f"{title[:place]}{title[anchor.end() :]}".strip()
                self.id = self.id or anchor["id"]
        return title
