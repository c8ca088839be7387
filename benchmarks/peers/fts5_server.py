"""A server of documentation as it is commonly written: the official Python SDK over SQLite's FTS5. Takes DOCS FILE PORT PROCESSES.

Without sessions, with plain JSON answers and without a log, as fast as the SDK is. It has no keys, limits, tenants or history.
"""

from __future__ import annotations

import os
import sqlite3
import sys
from pathlib import Path
from threading import local
from typing import Any

import uvicorn
from mcp.server.mcpserver import MCPServer

from benchmarks.peers.fts5 import Fts5, Row, find_rows
from benchmarks.peers.sections import read_sections

FILE_VARIABLE = "PEER_DATABASE"
RESULTS = 10

_of_thread = local()


def main(docs: str, file: str, port: str, processes: str) -> None:
    Fts5(read_sections(Path(docs)), file)
    os.environ[FILE_VARIABLE] = file
    print("ready", flush=True)
    application = "benchmarks.peers.fts5_server:make_application"
    uvicorn.run(application, factory=True, port=int(port), workers=int(processes), log_level="warning")


def make_application() -> Any:
    server = MCPServer("documentation", log_level="WARNING")
    server.tool(structured_output=False)(search_docs)
    return server.streamable_http_app(json_response=True, stateless_http=True)


def search_docs(query: str) -> str:
    """Find sections by words. Returns ranked sections with a snippet each."""
    rows = find_rows(get_connection(), query, RESULTS)
    return "\n\n".join(render(number, row) for number, row in enumerate(rows, 1)) or "Nothing was found."


def get_connection() -> sqlite3.Connection:
    if not hasattr(_of_thread, "connection"):
        _of_thread.connection = sqlite3.connect(f"file:{os.environ[FILE_VARIABLE]}?mode=ro", uri=True)
    connection: sqlite3.Connection = _of_thread.connection
    return connection


def render(number: int, row: Row) -> str:
    return f"{number}. **{row.title} › {row.headings}**\n{row.path} · section_id: {row.section_id}\n{row.snippet}"


if __name__ == "__main__":
    main(*sys.argv[1:])
