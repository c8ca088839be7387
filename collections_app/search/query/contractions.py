"""Words that English contracts (`doesn't`, `I've`), often typed without the sign (`doesnt`). They tell nothing of a subject. PURE.

PostgreSQL makes words of them that are none of its stop words: `doesn`, `ve`. Headings have these too (`Why doesn't it start?`), so they
rank like others; a model of language takes them for something that the question is about.
"""

from __future__ import annotations

import re

CONTRACTION = re.compile(
    r"""
    \b(?:
        (?:do|does|did|is|are|was|were|wo|ca|could|should|would|has|have|had|must|need)n['’]?t
        | (i|you|we|they|he|she|it|that|there|who|what|how)['’](?:m|ve|re|ll|d)
    )\b
    """,
    re.IGNORECASE | re.VERBOSE,
)


def is_contraction(word: str) -> bool:
    return bool(CONTRACTION.fullmatch(word))


def leave_out_contractions(text: str) -> str:
    """The words beside them; the text itself where it has no other."""
    return " ".join(CONTRACTION.sub(r"\1", text).split()) or text
