"""What a reasoning model thinks before it answers, where its server leaves that in the text. PURE."""

from __future__ import annotations

import re
from string import whitespace

from collections_app.text.unseen import drop_unseen

# Of DeepSeek, Qwen and others, one or several; one that does not end is all there is. Behind other words it is what the answer is about.
_REASONING = re.compile(
    r"(?:\s*<(?P<name>think|thinking|thought|reasoning)>.*?(?:</(?P=name)>|\Z))+", re.DOTALL | re.IGNORECASE
)
# Where the model's template opens the thoughts itself, only their end is in the text, on a line of its own.
_END = re.compile(r"(?:(?!<think(?:ing)?>).)*?^[ \t]*</think(?:ing)?>[ \t]*$", re.DOTALL | re.MULTILINE | re.IGNORECASE)
# A blank without width too.
_EDGES = whitespace + "\xa0\u200b"


def drop_reasoning(text: str) -> str:
    """The answer behind it, without what shows nothing, which may stand before it too; empty where there is none."""
    seen = drop_unseen(text).strip(_EDGES)
    found = _REASONING.match(seen) or _END.match(seen)
    return (seen[found.end() :] if found else seen).strip(_EDGES)
