"""reStructuredText, including Sphinx's extensions → Markdown. It reads only the file itself, with what is known of the pages it refers to
and of the characters that docutils defines names for: nothing is included, imported or fetched.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import islice

from collections_app.exceptions import ParseError
from collections_app.parsing.decoding import decode_text
from collections_app.parsing.documents import Finding, FindingKind, NormalisedText, RawDocument
from collections_app.parsing.references.targets import Targets, find_code_language, split_targets
from collections_app.parsing.rst.code_language import read_site_language
from collections_app.parsing.rst.reader import read_document
from collections_app.parsing.rst.writer import TreeWriter
from collections_app.parsing.sphinx.pep_header import split_pep_header

__all__ = ["parse_restructured_text", "write_part"]

_MIN_COMMENT_WORDS = 8  # fewer words are a label, or a note to oneself
_MAX_FINDINGS = 100
_PLAIN_ID = re.compile(r"[A-Za-z][\w.-]*")
_KNOWN_FIELDS = frozenset(["description", "keywords", "category"])


def parse_restructured_text(raw: RawDocument) -> NormalisedText:
    """Raises ParseError (encoding, nesting, size) and UnsupportedFormat (binary)."""
    text, decoding_warnings = decode_text(raw.content)
    text, targets = split_targets(text)
    pep, text = split_pep_header(text)
    reading = read_document(text)
    language = read_site_language(find_code_language(targets))
    try:
        written = TreeWriter(reading.document, targets, pep.full_title if pep else "", language)
    except RecursionError:
        raise ParseError("The text is nested too deeply; take a few levels of lists or quotes out.") from None
    fields = {**pep.fields, **written.fields} if pep else written.fields
    return NormalisedText(
        format="restructuredtext",
        content="".join(f"{line}\n" for line in written.markdown.lines),
        description=fields.get("description", ""),
        keywords=_split_keywords(fields.get("keywords", "")),
        category=fields.get("category", ""),
        metadata=_make_metadata(fields),
        anchors=written.markdown.anchors,
        findings=_choose_findings(written.findings, len(written.markdown.lines) - 1),
        warnings=decoding_warnings + reading.warnings,
    )


def write_part(text: str, targets: Targets, *, has_ids: bool) -> Sequence[str] | None:
    """The lines of Markdown for a part of a page that is of another format, with the ids of its headings in their attributes if it
    `has_ids`; None if they would not say all, or the part has mistakes.
    """
    try:
        reading = read_document(text)
        written = TreeWriter(reading.document, targets, is_part=True)
    except (ParseError, RecursionError):
        return None
    if reading.warnings or written.fields or _choose_findings(written.findings, 0):
        return None
    lines = list(written.markdown.lines)
    for number, anchor in written.markdown.anchors.items() if has_ids else ():
        if _PLAIN_ID.fullmatch(anchor):
            lines[number] = f"{lines[number]} {{#{anchor}}}"
    return lines


def _split_keywords(keywords: str) -> tuple[str, ...]:
    return tuple(filter(None, map(str.strip, re.split("[,;]", keywords))))


def _make_metadata(fields: Mapping[str, str]) -> dict[str, str | bool]:
    """The document's other fields as metadata; a field without a value, such as `:orphan:`, is true."""
    return {name: value or True for name, value in fields.items() if name and name not in _KNOWN_FIELDS}


def _choose_findings(findings: Iterable[Finding], last_line: int) -> tuple[Finding, ...]:
    """The findings without comments that are only notes. A line after the last one becomes the last one."""
    told = (each for each in findings if each.kind is not FindingKind.COMMENT or _is_prose(each))
    return tuple(replace(each, line=min(each.line, last_line)) for each in islice(told, _MAX_FINDINGS))


def _is_prose(comment: Finding) -> bool:
    return len(comment.excerpt.split()) >= _MIN_COMMENT_WORDS
