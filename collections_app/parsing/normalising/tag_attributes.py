"""What the attributes of a tag in Markdown, given as they are written, say about its element. PURE."""

from __future__ import annotations

import re

from collections_app.parsing.html.classes import ClassFacts, read_class
from collections_app.parsing.normalising.markdown_elements import drop_looks

_MEANT = re.compile(r"(?:^|\s)(?:hidden|style|aria-hidden|role)(?![\w-])", re.IGNORECASE)
_CLASS = re.compile(r"\sclass\s*=\s*[\"']?([^\"'<>]*)", re.IGNORECASE)


def hides(attributes: str) -> bool:
    """Whether they may hide the element, or make it something else than its name says."""
    return _MEANT.search(drop_looks(attributes)) is not None or read_class_attribute(attributes).is_unseen


def read_class_attribute(attributes: str) -> ClassFacts:
    found = _CLASS.search(attributes)
    return read_class(found[1] if found else "")
