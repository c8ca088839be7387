"""Recognises files that no parser reads by their first bytes, whatever their names.

A signature that consists of letters needs more, since a text may begin with it: lengths (of an MP4's first box, of a RIFF) have a byte that
texts do not have.
"""

from __future__ import annotations

import re

from collections_app.exceptions import UnsupportedFormat

_IN_WORDS = "Give what it says as Markdown, `.docx` or PDF."

_KINDS = tuple(
    (re.compile(signature, re.DOTALL), kind, advice)
    for signature, kind, advice in (
        (
            rb"\x89PNG\r\n\x1a\n|\xff\xd8\xff|GIF8[79]a|RIFF.{3}[\0-\x08\x0e-\x1f]WEBP|II\*\0|MM\0\*|\0\0\x01\0",
            "a picture",
            "Give what it shows as Markdown, or as a PDF whose text can be selected.",
        ),
        (
            rb"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
            "an Office document that is encrypted, or in the format of before 2007 (.doc, .ppt, .xls)",
            "Save it as `.docx`, `.xlsx`, `.pptx` or PDF, without a password.",
        ),
        (rb"\{\\rtf", "a text in RTF", "Save it as `.docx` or PDF."),
        (
            rb"PK\x03\x04.{26}mimetypeapplication/vnd\.oasis\.opendocument\.",
            "an OpenDocument file that is no text and no spreadsheet (.odp and others)",
            "Save it as `.odt`, `.ods`, `.pptx` or PDF.",
        ),
        (
            rb"\0.{3}ftyp|\x1aE\xdf\xa3|RIFF.{3}[\0-\x08\x0e-\x1f](?:AVI |WAVE)|OggS\0|ID3[\x02-\x04]|fLaC\0",
            "a recording",
            _IN_WORDS,
        ),
        (rb"SQLite format 3\0", "a database", _IN_WORDS),
        (rb"\x7fELF|MZ.{2}[\0-\x03]\0|\xca\xfe\xba\xbe\0|\xcf\xfa\xed\xfe", "a program", "Give its documentation."),
        (
            rb"\x1f\x8b\x08|BZh[1-9]1AY&SY|\xfd7zXZ\0|7z\xbc\xaf\x27\x1c|Rar!\x1a\x07|\x28\xb5\x2f\xfd",
            "packed",
            "Unpack it, and give its files or a zip of them.",
        ),
    )
)


def check_signature(content: bytes) -> None:
    """Raises UnsupportedFormat, with advice, for a file of one of these kinds."""
    for signature, kind, advice in _KINDS:
        if signature.match(content):
            raise UnsupportedFormat(f"The file is {kind}, which is not read. {advice}")
