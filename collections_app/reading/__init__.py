"""Pages for people under `/docs/`: contents, documents, search; and the same as text for programs without MCP.

Shows what catalog/, documents/ and search/ return. Writes nothing except the record of a search, and does not decide who may see what.
"""
