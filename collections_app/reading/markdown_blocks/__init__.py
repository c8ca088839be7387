"""Rewrites Markdown with CommonMark's rules for blocks into Markdown with Python-Markdown's. PURE: lines in, lines out.

Python-Markdown wants four columns for each level of a list, knows no fences inside lists and quotes, and needs blank lines where
CommonMark does not. Code and HTML blocks do not pass through it: they are handed out, and a placeholder takes their place in the text.
Boxes and tabs, in any syntax (text/markdown/boxes.py), become quotes that begin with a mark and their title.
Nesting and paragraphs are limited in size, so that hostile text costs a bounded amount of work. Nothing is refused: anything else is text.

    rewriter.py     decides what block each line begins or continues: lists, quotes, boxes, code, HTML, text
    pieces.py       the lines of a block that ends by itself: fences, indented code, HTML
    containers.py   the boxes that are open until a line of colons ends them
    output.py       what is written, and the paragraph that is open in it
    signs.py        what blocks begin with
"""

from __future__ import annotations

from collections_app.reading.markdown_blocks.output import is_too_long
from collections_app.reading.markdown_blocks.rewriter import MAX_LIST_DEPTH, MAX_QUOTE_DEPTH, Holders, rewrite_blocks

__all__ = ["MAX_LIST_DEPTH", "MAX_QUOTE_DEPTH", "Holders", "is_too_long", "rewrite_blocks"]
