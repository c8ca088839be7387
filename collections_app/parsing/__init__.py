"""The only door to parsing: RawDocument in, ParsedDocument out. PURE: no rows, no network, no Django.

A format is one function in one module, and one line per extension in the table below.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from collections_app.exceptions import UnsupportedFormat
from collections_app.parsing.documents import ParsedDocument, ParsedSection, RawDocument
from collections_app.parsing.file_names import get_extension
from collections_app.parsing.markdown import parse_markdown
from collections_app.parsing.plain_text import parse_plain_text
from collections_app.parsing.tokens import estimate_tokens

__all__ = ["SUPPORTED_EXTENSIONS", "ParsedDocument", "ParsedSection", "RawDocument", "estimate_tokens", "parse"]

_PARSERS: Mapping[str, Callable[[RawDocument], ParsedDocument]] = {
    ".md": parse_markdown,
    ".markdown": parse_markdown,
    ".mdown": parse_markdown,
    ".mkd": parse_markdown,
    ".mdx": parse_markdown,
    ".qmd": parse_markdown,
    ".rmd": parse_markdown,
    ".txt": parse_plain_text,
}

SUPPORTED_EXTENSIONS: tuple[str, ...] = tuple(_PARSERS)
"""In lower case, with their dots; a file's extension is compared without regard to case."""


def parse(raw: RawDocument) -> ParsedDocument:
    """What the document says.

    Raises UnsupportedFormat (the extension, or binary content) and ParseError (encoding, front matter).
    """
    extension = get_extension(raw.path)
    parser = _PARSERS.get(extension)
    if parser is None:
        what = f"`{extension}` files" if extension else "files without an extension"
        supported = ", ".join(SUPPORTED_EXTENSIONS)
        raise UnsupportedFormat(f"There is no parser for {what}. Supported: {supported}.", supported=list(_PARSERS))
    return parser(raw)
