"""Leaves out what is particular to one occurrence of a pasted message: time, place, process, address. PURE.

Documents about the message have other values, and documents that happen to have these values are about something else. As the values are
rare, they would count more than all words of the message.
"""

from __future__ import annotations

import re

# A shorter question may be about the value itself.
MANY_WORDS = 10
VALUE = re.compile(
    r"""
    <\d+(?:\.\d+)+>  # a process of Erlang
    | (?<![\w.])(?:
        \d{4}[-/]\d\d[-/]\d\d (?: [T\ ]\d\d:\d\d(?::\d\d)?(?:[.,]\d+)? (?: [ ]?(?:Z|UTC|[+-]\d\d:?\d\d) )? )?  # a moment (RFC 3339)
        | \d\d:\d\d:\d\d(?:[.,]\d+)?
        | \d{1,3}(?:\.\d{1,3}){3}(?:[:/]\d{1,5})?  # an address, with its port or network
        | 0x[0-9a-fA-F]{9,}  # a pointer; errors have numbers of eight digits
        | [0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}
        | (?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{8,}  # a digest
        | \d{6,}
    )(?!\w)
    | (?<=\w):\d+(?::\d+)?(?![\w.])  # a line, or a port
    """,
    re.VERBOSE,
)
ROUND = (1000, 1024)
# The folders of a path: only the file's name says something.
FOLDERS = re.compile(r"(?<![\w/:.>\\-])(?:~|\.{1,2}|[A-Za-z]:)?(?:[\\/][\w.@+-]+){2,}[\\/](?=[\w@+-]+\.\w+(?![\w\\/]))")


def is_message(text: str) -> bool:
    return len(text.split()) >= MANY_WORDS


def leave_out_values(text: str) -> str:
    """The words of a message, without its values."""
    left = VALUE.sub(lambda value: value[0] if is_limit(value[0]) else " ", FOLDERS.sub(" ", text))
    return " ".join(left.split()) or text


def is_limit(value: str) -> bool:
    """Whether a number is round, like the sizes and limits that documents name (`262144`). Values of one occurrence hardly ever are."""
    return value.isdecimal() and any(int(value) % unit == 0 for unit in ROUND)
