"""Texts from LibreOffice and other programs that write OpenDocument: converted to HTML, which the HTML converter turns into Markdown.

    package.py      the parts of the file, measured and checked
    styles.py       what styles say: code, quotations, bold type, what is hidden
    numbering.py    the numbers of headings and items
    hiding.py       what fields and conditions hide
    tables.py       rows and cells
    to_html.py      the text as HTML

OpenDocument 1.3 (OASIS; ISO/IEC 26300). Nothing is run, and nothing fetched.
"""

from __future__ import annotations

from collections_app.parsing.documents import NormalisedText, RawDocument
from collections_app.parsing.headings.text import clean_heading
from collections_app.parsing.html.links import LinkResolver
from collections_app.parsing.html.to_markdown import convert_to_markdown
from collections_app.parsing.html.tree import parse_tree
from collections_app.parsing.office.hidden_text import make_findings
from collections_app.parsing.office.notes import place_notes
from collections_app.parsing.office.odt.numbering import Numberings
from collections_app.parsing.office.odt.package import ODT, read_package
from collections_app.parsing.office.odt.styles import Styles
from collections_app.parsing.office.odt.to_html import TextWriter

__all__ = ["parse_odt"]


def parse_odt(raw: RawDocument) -> NormalisedText:
    """The document's text, with headings by their levels.

    Raises ParseError for a file that is encrypted, broken, not an OpenDocument text, or larger than the limits.
    """
    package = read_package(raw.content, ODT, "text")
    roots = [root for root in (package.styles, package.content) if root is not None]
    writer = TextWriter(Styles(roots), Numberings(roots), package.find_formula)
    try:
        html = writer.write(package.body)
    except RecursionError:
        ODT.refuse("its tables, lists or text boxes nest too deep")
    root, _ = parse_tree(html.encode("utf-8", "replace"), "text/html; charset=utf-8")
    place_notes(root)
    converted = convert_to_markdown([root], LinkResolver(""))
    lines, facts = converted.writer.lines, package.properties
    return NormalisedText(
        format="odt",
        content="\n".join([*lines, ""]) if lines else "",
        title=clean_heading(writer.title) or clean_heading(converted.writer.title) or facts.title,
        description=facts.description,
        keywords=facts.keywords,
        metadata={"language": facts.language} if facts.language else {},
        findings=make_findings(writer.hidden),
    )
