"""Markup within a line of AsciiDoc → nodes of a tree. It knows no blocks.

reader.py                    text → nodes
macros.py, links.py          macros, links and references
passthroughs.py              text that is no markup
brackets.py, partners.py     where brackets end, and spans of text
java_names.py                names of classes, as Spring's pages show them
"""
