"""Where Markdown's links and pictures lead, which says nothing of what a text is about. PURE."""

from __future__ import annotations

import re

# Targets that are no call in some programming language: `handlers[name](event)`. First it is seen that there is an end: without one, all
# that follows would be looked through for it again behind each `.md`.
TARGET = r"\]\((?=[^()\n]*+\))(?:https?://|mailto:|\.{0,2}/|#|[^()\s]+\.(?:md|mdx|rst|adoc|html)\b)[^()\n]*+\)"
LINK_TARGET = re.compile(TARGET)


def leave_out_targets(text: str) -> str:
    """With the words of links alone, in their brackets."""
    return LINK_TARGET.sub("]", text) if "](" in text else text
