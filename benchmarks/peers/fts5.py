"""SQLite's FTS5 with BM25, as servers of documentation commonly use it: a word is enough, titles count five times and headings three."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from benchmarks.peers.sections import PeerSection
from benchmarks.retrieval import Found

WORD = re.compile(r"\w+")
CREATE = """
CREATE VIRTUAL TABLE section USING fts5(
    title, headings, body, path UNINDEXED, line UNINDEXED, section_id UNINDEXED, tokenize = 'porter unicode61'
)
"""
SEARCH = """
SELECT path, line, section_id, title, headings, snippet(section, 2, '', '', '…', 30)
FROM section WHERE section MATCH ? ORDER BY bm25(section, 5, 3, 1) LIMIT ?
"""
FIND = "SELECT path, line FROM section WHERE section MATCH ? ORDER BY bm25(section, 5, 3, 1) LIMIT ?"


class Row(NamedTuple):
    path: str
    line: int
    section_id: str
    title: str
    headings: str
    snippet: str


class Fts5:
    name = "SQLite FTS5"

    def __init__(self, sections: Iterable[PeerSection], file: Path | str = ":memory:") -> None:
        self.connection = sqlite3.connect(file)
        self.connection.execute(CREATE)
        rows = ((each.title, each.headings, each.text, each.path, each.line, each.section_id) for each in sections)
        self.connection.executemany("INSERT INTO section VALUES (?, ?, ?, ?, ?, ?)", rows)
        self.connection.execute("INSERT INTO section (section) VALUES ('optimize')")
        self.connection.commit()

    def search(self, text: str, limit: int) -> list[Found]:
        words = make_match(text)
        return [Found(*row) for row in self.connection.execute(FIND, [words, limit])] if words else []


def find_rows(connection: sqlite3.Connection, text: str, limit: int) -> Sequence[Row]:
    """What a server shows of each section."""
    words = make_match(text)
    return [Row(*row) for row in connection.execute(SEARCH, [words, limit])] if words else []


def make_match(text: str) -> str:
    return " OR ".join(f'"{word}"' for word in dict.fromkeys(WORD.findall(text)))
