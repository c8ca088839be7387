"""The Model Context Protocol itself: messages, revisions, and how results are encoded. It knows nothing of documents."""
