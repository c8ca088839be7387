"""Quoting for PostgreSQL tsqueries. PURE."""

from __future__ import annotations


def quote(lexeme: str) -> str:
    """The lexeme as a quoted constant in a tsquery."""
    return "'" + lexeme.replace("\\", "\\\\").replace("'", "''") + "'"
