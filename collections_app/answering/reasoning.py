"""Drops the thoughts of a reasoning model from its answer, if the server leaves them in the text. PURE."""

from __future__ import annotations

import re
from string import whitespace

from collections_app.text.control_characters import drop_unseen

# Written by DeepSeek, Qwen and others, once or several times; one without an end is the whole text. After other words, such a tag is part
# of the answer.
_REASONING = re.compile(
    r"(?:\s*<(?P<name>think|thinking|thought|reasoning)>.*?(?:</(?P=name)>|\Z))+", re.DOTALL | re.IGNORECASE
)
# If the model's template opens the thoughts itself, the text only has their end, on a line of its own.
_END = re.compile(r"(?:(?!<think(?:ing)?>).)*?^[ \t]*</think(?:ing)?>[ \t]*$", re.DOTALL | re.MULTILINE | re.IGNORECASE)
# A blank without width too.
_EDGES = whitespace + "\xa0\u200b"


def drop_reasoning(text: str) -> str:
    """The answer after the thoughts, without invisible characters; empty if there is none."""
    seen = drop_unseen(text).strip(_EDGES)
    found = _REASONING.match(seen) or _END.match(seen)
    return (seen[found.end() :] if found else seen).strip(_EDGES)
