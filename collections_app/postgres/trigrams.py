r"""Which texts can have a part: those that have each three characters of it, by an index. As pg_trgm does, which is not everywhere.

ASCII letters count in either case, others as they are written.
"""

from __future__ import annotations

# The index knows nothing of collections. Where fewer documents are looked through it costs more than it helps.
MANY_DOCUMENTS = 20_000
SIZE = 3
SEPARATOR = "\x01"
_FOLDED = 'lower(%(expressions)s COLLATE "C")'
_CUT = r"regexp_replace({text}, '(...)', E'\\1\x01', 'g')"
# In SQL, as a template of Django's Func. Cut into threes from the first character on, from the second and from the third.
# A function of our own in SQL would take ten times as long; what it takes counts where PostgreSQL looks at rows without the index.
TRIGRAMS = r"string_to_array({}, E'\x01')".format(
    r" || E'\x01' || ".join(
        _CUT.format(text=text) for text in (_FOLDED, f"substr({_FOLDED}, 2)", f"substr({_FOLDED}, 3)")
    )
)


def write_trigrams(column: str) -> str:
    """The SQL of a column's trigrams, word for word that of its index."""
    return TRIGRAMS % {"expressions": column}


def list_trigrams(part: str) -> list[str]:
    """Those that a text must have which has the part, each once; none where the index cannot help: it is short, or not all ASCII."""
    if not part.isascii() or SEPARATOR in part:
        return []
    folded = part.lower()
    return sorted({folded[at : at + SIZE] for at in range(len(folded) - SIZE + 1)})
