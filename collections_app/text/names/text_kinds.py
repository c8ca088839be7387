"""Words that say which text is looked for, and not what it is about: `the profiles chapter`, `documentation on fields`. PURE.

Links and people call texts what these do not call themselves: most chapters have no `chapter` in them, and those that mention one are not
about what is asked. Elsewhere such a word may be the subject: `guide dogs`, `write documentation`, `how to add a chapter`.
"""

from __future__ import annotations

import re
from functools import lru_cache

# Not `page`: in documentation of websites it is a thing (`error page`).
_KIND = r"(?:appendix|articles?|chapters?|docs|documentation|guides?|manual|overview|reference|sections?|tutorials?)"
_NAMED = re.compile(
    rf"(?:the )?(?P<before>.*\w)\W*\s(?P<last>{_KIND})\W*"
    rf"|(?:the )?(?P<first>{_KIND})(?::| (?:about|for|of|on))\s+(?:the )?(?P<behind>.*\w).*",
    re.IGNORECASE | re.DOTALL,
)
# Of a sentence, or of something that is to be done with a text.
_FIRST_WORDS = frozenset({
    "a", "add", "an", "are", "build", "can", "change", "could", "create", "do", "does", "edit", "fix", "generate", "how", "i", "improve",
    "is", "make", "publish", "read", "remove", "render", "rewrite", "should", "the", "update", "view", "what", "when", "where", "which",
    "who", "why", "write",
})  # fmt: skip


@lru_cache(maxsize=32)
def find_text_kind(question: str) -> tuple[str, str]:
    """The word for the kind of text, in lower case, and what the text is about, as written; both empty if the question has none.

    Remembered, since a search asks for its terms, in each language, and for the pages that it calls.
    """
    found = _NAMED.fullmatch(question.strip())
    about = (found["before"] or found["behind"]) if found else ""
    if not found or about.split(maxsplit=1)[0].lower() in _FIRST_WORDS:
        return "", ""
    return (found["last"] or found["first"]).lower(), about
