"""Whether a question is pasted code or a command line, rather than words about it. PURE."""

from __future__ import annotations

import re

# What prose hardly has, in a word as white space cuts it: a call with arguments, an assignment, braces, a key in quotes, an address, a
# prompt. Not what it has as well: quotes, colons, brackets around words, `401(k)`, `employee(s)`, and names such as `main()`.
CLEAR = re.compile(
    r"""
    [A-Za-z_]\((?!\)|(?:e?[ns]|e?r|e|in|innen)\)) | \(\)(?:[:;{]|\.\w) | [{}=] | ^["'][^"']*["']:$ | \w(?:->|::)\w | ://
    | ^(?:\$|PS>|>{2,3})$
    """,
    re.VERBOSE,
)
# And what a question about code may have once: an index, an option, a variable, a path, a pipe, a comment.
SIGN = re.compile(
    r"""
    \w[\[<] | [\[\]|\\] | -> | :: | \$(?!\d) | [)\]"'];$ | ;(?=\S)
    | ^--?[A-Za-z] | ^<[A-Za-z/] | ^[&*]\w | ^//$ | ^\#$ | ^(?:~|\.{1,2})?/[\w.]
    | [)"'],$
    """,
    re.VERBOSE,
)
# Of a question about code, fewer words are so.
SHARE = 1 / 3


def is_code(text: str) -> bool:
    """By its signs, whatever the language: a third of the words have them, and one of them clearly or two. One word is a name."""
    words = text.replace("`", " ").split()
    clear = sum(bool(CLEAR.search(word)) for word in words)
    signs = clear + sum(bool(SIGN.search(word)) and not CLEAR.search(word) for word in words)
    return len(words) > 1 and (clear > 0 or signs > 1) and signs >= SHARE * len(words)
