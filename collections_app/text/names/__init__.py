"""When two names or questions are the same: if they have the same words. Case, accents and punctuation make no difference. PURE.

It is for titles of pages, names of products, and the terms and questions of synonyms and pins.
"""

from __future__ import annotations

import re
import unicodedata

from collections_app.text.analysis.folding import fold

# Signs belong to names: C++ and C# are not C. So do the vowel signs of many scripts, which are marks and no letters.
_WORD = re.compile(r"[^\W_]+[+#]*")
_MARKED_WORD = re.compile(r"[^\W_](?:[^\W_]|\0)*[+#]*")


def split_words(name: str) -> list[str]:
    """Its words as they are written, in lower case and without signs: to find them in a question, which has its accents."""
    return re.findall(r"\w+", name.lower().replace("_", " "))


def split_name(name: str) -> list[str]:
    """Its words, in lower case and without accents; `max_conn` has two."""
    folded = fold(name)
    if folded.isascii():
        return _WORD.findall(folded)
    marked = "".join("\0" if unicodedata.category(sign).startswith("M") else sign for sign in folded)
    return [folded[found.start() : found.end()] for found in _MARKED_WORD.finditer(marked)]
