"""AsciiDoc, as Asciidoctor and Antora read it → a tree of HTML → Markdown. It reads the file alone; includes/ puts other files in.

    document.py                  the whole of it
    conditions.py                the lines that `ifdef` and its kin keep
    header.py                    title, author, revision
    blocks.py                    sections, paragraphs, delimited blocks → lists.py, tables.py, code.py
    inline.py                    what stands in a line → macros.py, links.py, footnotes.py
    attributes.py                what `{name}` stands for

The HTML converter then writes it as it writes a page, so that a site's page and its source come out alike.

This module imports nothing: includes/ asks for some of the others, and loads no parser with them.
"""
