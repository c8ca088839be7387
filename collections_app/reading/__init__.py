"""Pages for people under `/docs/`: contents, documents, search, and the same as text for programs that come without MCP.

It shows what catalog.py, documents.py and search/ give. It writes nothing but the note of a search, and does not decide who may see what.
"""
