"""AsciiDoc, as Asciidoctor and Antora read it → a tree of HTML → Markdown. It reads the file alone: includes/ puts other files in, and
references/ the titles of those that it names behind it.

    document.py                  the whole of it
    conditions.py                the lines that `ifdef` and its kin keep
    header.py                    title, author, revision
    blocks.py                    sections, paragraphs, delimited blocks → lists.py, tables.py, code.py
    inline.py                    what stands in a line → macros.py, links.py → addresses.py, footnotes.py
    attributes.py                what `{name}` stands for

The HTML converter then writes it as it writes a page, so that a site's page and its source come out alike.

This module imports nothing: includes/ and references/ ask for some of the others, and load no parser with them.
"""
