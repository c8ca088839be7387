"""The Model Context Protocol, which knows nothing of documents: messages, revisions, and how what is said goes on the wire."""
