"""Turns code that a highlighter has laid out as lines of other elements (Crayon and SyntaxHighlighter in WordPress, files on GitHub) into
code blocks. code.py handles their line numbers. Sandcastle's tabs are not text, but give their code blocks a language.
"""

from __future__ import annotations

from itertools import islice

from lxml import etree

from collections_app.parsing.html.tree import Element, find_elements, get_text_start, has_class

# Separate paths: in a union, libxml2 would search for each element of one path among all those of the other.
_CRAYON = etree.XPath(f"//div[{has_class('crayon-pre')}][div[{has_class('crayon-line')}]]")
_SYNTAXHIGHLIGHTER = etree.XPath(
    f"//div[{has_class('syntaxhighlighter')}]//td[{has_class('code')}]/div[div[{has_class('line')}]]"
)
_GITHUB = etree.XPath(f"//table[{has_class('js-file-line-container')}]")
_SANDCASTLE = etree.XPath(f"//div[{has_class('codeSnippetContainer')}]")
_SANDCASTLE_TABS = etree.XPath("div[@class='codeSnippetContainerTabs']/div")
_SANDCASTLE_BLOCKS = etree.XPath(
    f"div[@class='codeSnippetContainerCodeContainer']/div[{has_class('codeSnippetContainerCode')}]"
)
_SANDCASTLE_LANGUAGES = {"C#": "csharp", "C++": "cpp", "F#": "fsharp", "VB": "vb", "XAML": "xaml", "XML": "xml"}
_NO_SYNTAX = frozenset({"ie", "nogutter", "notranslate", "printing", "syntaxhighlighter"})
_MAX_ANCESTORS = 8
_MAX_NAME = 20


def mend_highlighters(root: Element) -> None:
    for block in find_elements(_CRAYON, root):
        _make_code(block, "")
    for block in find_elements(_SYNTAXHIGHLIGHTER, root):
        _make_code(block, _find_syntax(block))
    for table in find_elements(_GITHUB, root):
        _make_code(table, "")
    for box in find_elements(_SANDCASTLE, root):
        for tab, block in zip(
            find_elements(_SANDCASTLE_TABS, box), find_elements(_SANDCASTLE_BLOCKS, box), strict=False
        ):
            block.set("data-lang", _SANDCASTLE_LANGUAGES.get(get_text_start(tab, _MAX_NAME), ""))


def _make_code(block: Element, language: str) -> None:
    """Make it a code block. Its lines stay block elements; no-break spaces become the blanks that the author wrote."""
    for each in block.iter("code", "table", "tbody", "td", "tr"):
        each.text = each.text if each.tag in ("code", "td") else None
        each.tail = each.tail if each.tag == "code" or each is block else None
        each.tag = "div" if each.tag == "tr" else "span"
    for line in block.iterchildren("div"):
        line.tail = None
    for each in block.iter():
        each.text = each.text.replace("\xa0", " ") if each.text else each.text
        each.tail = each.tail.replace("\xa0", " ") if each.tail and each is not block else each.tail
    block.tag = "pre"
    block.text = None
    if language:
        block.set("data-lang", language)


def _find_syntax(block: Element) -> str:
    """The language: the class name beside the highlighter's own."""
    for each in islice(block.iterancestors("div"), _MAX_ANCESTORS):
        names = each.get("class", "").split()
        if "syntaxhighlighter" in names:
            others = [name for name in names if name not in _NO_SYNTAX]
            return others[0] if others else ""
    return ""
