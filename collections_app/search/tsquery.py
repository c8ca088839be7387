"""How tsqueries are written. PURE."""

from __future__ import annotations


def quote(lexeme: str) -> str:
    """As a constant in a tsquery."""
    return "'" + lexeme.replace("\\", "\\\\").replace("'", "''") + "'"
