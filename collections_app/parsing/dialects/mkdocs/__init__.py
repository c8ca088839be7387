"""Extensions of Markdown that MkDocs and its plugins have, as CommonMark. PURE.

slash_blocks.py       blocks between slashes
icons.py              icons that only decorate words
mkdocstrings.py       blocks that a build fills from docstrings
autorefs.py           references to code
"""
