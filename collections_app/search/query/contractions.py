"""English contractions (`doesn't`, `I've`), often typed without the apostrophe (`doesnt`). They say nothing about the subject. PURE.

PostgreSQL makes lexemes of them that are not stop words: `doesn`, `ve`. Headings have these too (`Why doesn't it start?`), so in keyword
search they rank like other words; but an embedding model would take them for a part of the subject.
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
    """The text without contractions; the text itself if it has no other words."""
    return " ".join(CONTRACTION.sub(r"\1", text).split()) or text
