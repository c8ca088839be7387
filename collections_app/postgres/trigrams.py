r"""Finds texts that may contain a part, by an index of their trigrams (all sequences of three characters).

Works like pg_trgm, which is not available everywhere.

ASCII letters match in either case, other characters as they are written.
"""

from __future__ import annotations

# The index does not know collections: for fewer documents than this it costs more than it helps.
MANY_DOCUMENTS = 20_000
SIZE = 3
SEPARATOR = "\x01"
_FOLDED = 'lower(%(expressions)s COLLATE "C")'
_CUT = r"regexp_replace({text}, '(...)', E'\\1\x01', 'g')"
# SQL, as a template of Django's Func: cuts a text into threes from its first, second and third character on.
# An SQL function of our own would take ten times as long, which matters when PostgreSQL checks rows without the index.
TRIGRAMS = r"string_to_array({}, E'\x01')".format(
    r" || E'\x01' || ".join(
        _CUT.format(text=text) for text in (_FOLDED, f"substr({_FOLDED}, 2)", f"substr({_FOLDED}, 3)")
    )
)


def write_trigrams(column: str) -> str:
    """The SQL of a column's trigrams, literally as in its index."""
    return TRIGRAMS % {"expressions": column}


def list_trigrams(part: str) -> list[str]:
    """The trigrams that a text with this part must have, without repetition; empty if the index cannot help: it is short or not ASCII."""
    if not part.isascii() or SEPARATOR in part:
        return []
    folded = part.lower()
    return sorted({folded[at : at + SIZE] for at in range(len(folded) - SIZE + 1)})
