"""AsciiDoc, as read by Asciidoctor and Antora → a tree of HTML → Markdown. Only the file itself is read: includes/ inserts other files
beforehand, and references/ appends the titles of the pages it refers to.

    document.py                  a whole document
    conditions.py                the lines kept by `ifdef` and related directives
    header.py                    title, author, revision
    blocks.py                    sections, paragraphs, delimited blocks → lists.py, tables.py, code.py
    inline/                      markup within a line → addresses.py, footnotes.py
    attributes.py                values of `{name}`

The HTML converter then writes the tree as it writes a web page, so that a site's pages and their sources give the same result.

This module imports nothing, because includes/ and references/ use some of the others and should not load a parser with them.
"""
