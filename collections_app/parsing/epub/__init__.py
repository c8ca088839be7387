"""EPUB books: the spine's files in reading order, each read by the HTML converter. Pictures, covers and tables of contents are left out."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass, field, replace

from collections_app.parsing.documents import Finding, NormalisedText, RawDocument
from collections_app.parsing.epub.book import Entry, read_book
from collections_app.parsing.epub.container import Container, find_locked, refuse
from collections_app.parsing.epub.texts import read_text, repeats_contents
from collections_app.parsing.headings import iter_headings
from collections_app.parsing.headings.text import shorten_heading
from collections_app.parsing.html.escaping import escape_heading_end, escape_heading_text
from collections_app.parsing.html.links import LinkResolver
from collections_app.parsing.html.to_markdown import convert_to_markdown
from collections_app.parsing.html.visibility import MAX_FINDINGS, find_comments

_DEEPEST = 6


def parse_epub(raw: RawDocument) -> NormalisedText:
    """The book. The first heading of a file gets the level that the table of contents gives the file.

    Raises ParseError for a file that is encrypted (also with DRM), broken, not an EPUB, or larger than the limits.
    """
    container = Container(raw.content)
    book = read_book(container)
    if find_locked(container.find_xml("META-INF/encryption.xml"), book.texts):
        refuse("its text is encrypted (DRM); give a copy without that")
    written = _Written()
    missing = []
    for path in book.texts:
        content = container.find(path)
        if content is None:
            missing.append(path)
        else:
            written.write(content, book.entries.get(path), book.titles)
    metadata = {"language": book.language, "author": book.author}
    lacking = (f"files that the book names are not in it: {', '.join(missing[:5])[:500]}",) if missing else ()
    return NormalisedText(
        format="epub",
        content="\n".join([*written.lines, ""]) if written.lines else "",
        title=book.title,
        description=book.description,
        keywords=book.keywords,
        metadata={key: value for key, value in metadata.items() if value},
        anchors=written.anchors,
        findings=tuple(written.findings),
        warnings=(*dict.fromkeys(written.warnings), *lacking),
    )


@dataclass(slots=True)
class _Written:
    """`deeper` is the number of levels by which headings were moved in the last file that the table of contents names."""

    lines: list[str] = field(default_factory=list)
    anchors: dict[int, str] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    deeper: int = 0

    def write(self, content: bytes, entry: Entry | None, titles: Set[str]) -> None:
        body, warnings = read_text(content)
        if repeats_contents(body, titles):
            return
        comments = find_comments(body, max(0, MAX_FINDINGS - len(self.findings)))
        converted = convert_to_markdown([body], LinkResolver(""), comments)
        self.warnings += warnings
        lines, findings = converted.writer.lines, converted.list_findings()
        if not lines:
            self.findings += findings
            return
        headings = list(iter_headings(lines))
        if entry and headings:
            self.deeper = entry.level - min(heading.level for heading in headings)
        for heading in headings:
            level = min(max(heading.level + self.deeper, 1), _DEEPEST)
            lines[heading.line] = "#" * level + lines[heading.line].lstrip("#")
        if entry and entry.title and not headings:
            self._add([f"{'#' * entry.level} {escape_heading_end(escape_heading_text(shorten_heading(entry.title)))}"])
        start = self._add(lines)
        self.findings += (replace(each, line=start + each.line) if each.line >= 0 else each for each in findings)
        self.anchors |= {start + line: anchor for line, anchor in converted.writer.anchors.items()}

    def _add(self, lines: list[str]) -> int:
        """Add lines, and return the number of the first, counted from 0."""
        if self.lines:
            self.lines.append("")
        start = len(self.lines)
        self.lines += lines
        return start
