"""What readers see of a layout tag, as Markdown: its title, its link, the kind of a box. PURE."""

from __future__ import annotations

import re

BOXES = frozenset({"caution", "danger", "important", "info", "note", "success", "tip", "warning"})

_UNLINKABLE = re.compile(r"[\s()<>]")
_QUOTED = re.compile(r"\"[^\"]*\"|'[^']*'")


def is_address(target: str) -> bool:
    """Whether the text can be used as a link's address as it is."""
    return bool(target) and not _UNLINKABLE.search(target)


def write_title(title: str, target: str) -> str:
    """The title in bold, as a link if the target is an address, followed by a blank."""
    return f"[**{title}**]({target}) " if is_address(target) else f"**{title}** "


def write_kind(kind: str) -> str:
    """The kind of a box without a title, followed by a blank: readers must be able to tell a warning from a tip. Empty for no kind."""
    return f"**{kind.capitalize()}:** " if kind else ""


def empty_quotes(attributes: str) -> str:
    """The attributes of a tag with nothing between their quotes, where what looks like an attribute is a text."""
    return _QUOTED.sub("''", attributes)
