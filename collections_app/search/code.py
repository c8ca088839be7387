"""Whether a question is pasted code or a command line, rather than words about it. PURE."""

from __future__ import annotations

import re

# What prose hardly has, in a word as white space cuts it: a call, an index, an assignment, an option, a path, an address, a comment. Not
# what it has as well: quotes, colons, brackets around words.
SIGN = re.compile(
    r"""
    \w[(\[{<] | [{}\[\]=;|$\\] | :: | -> | ://
    | ^--?[A-Za-z] | ^[@\#%&<>*]\S | ^//$ | ^\#$ | ^(?:~|\.{1,2})?/[\w.]
    | [)"'],$
    """,
    re.VERBOSE,
)
# Of a question about code, fewer words are so.
SHARE = 1 / 3


def is_code(text: str) -> bool:
    """By its signs, whatever the language. One word is a name."""
    words = text.replace("`", " ").split()
    return len(words) > 1 and sum(bool(SIGN.search(word)) for word in words) >= SHARE * len(words)
