"""Where the start page of a documentation may be. PURE."""

from __future__ import annotations

from collections_app.naming.paths import INDEX_NAMES

# Folders that may have a start page, the likelier ones first.
FOLDERS = (
    "",
    "docs/",
    "doc/",
    "en/",
    "src/",
    "content/",
    "source/",
    "docs/en/",
    "docs/source/",
    "doc/source/",
    "docs/docs/",
    "website/docs/",
)
NAMES = (
    "README.md",
    "README.rst",
    "README.adoc",
    "README",
    "readme.md",
    "README.txt",
    *INDEX_NAMES[1:],
    "index.txt",
    "Home.md",
    "home.md",
)
PATHS = tuple(dict.fromkeys(f"{folder}{name}" for folder in FOLDERS for name in NAMES))
"""The likelier ones first."""
