"""What a file's name says before the file is read: whether it is documentation, and if not, what to do about it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import PurePosixPath

from collections_app.parsing.file_names import get_extension
from collections_app.parsing.formats import BY_EXTENSION, PACKED, SUPPORTED_EXTENSIONS
from collections_app.parsing.variables.places import tells_variables

_TABLES_AS_TEXT = frozenset({".csv", ".tsv"})  # more often data than documentation
_DATA_EXTENSIONS = frozenset({".json", ".yaml", ".yml"})
_DOCUMENT_NAME = re.compile(r"readme|.*(?:openapi|swagger).*\.(?:json|ya?ml)", re.IGNORECASE | re.DOTALL)
# What may as well be data of an API: only its content tells. Questions are pages of Microsoft Learn, and so are pages of links.
_DESCRIPTIONS_WORD = re.compile(
    r"(?<![a-z])(?:apis?|rest|faqs?|frequently[-_]asked[-_]questions)(?![a-z])", re.IGNORECASE
)
_LEARN_NAME = re.compile(r"(?:index|overview)(?:[-_].*)?\.ya?ml", re.IGNORECASE | re.DOTALL)
# Texts that only programs read: CMake, pip, crawlers, hosting platforms.
_PROGRAMS_NAME = re.compile(
    r"(?:cmakelists|robots|runtime|spelling[-_]?word[-_]?list|(?:requirements|constraints)(?:[-_.][\w.-]+)?)\.txt",
    re.IGNORECASE | re.ASCII,
)
# The signature of the file that is named before `.asc`.
_SIGNATURE_NAME = re.compile(r".*\.[a-z][a-z0-9]*\.asc", re.IGNORECASE | re.DOTALL)
# What an R package's documentation calls by name: macros, and no page.
_RD_MACROS = re.compile(r"(?:.*/)?man/macros/[^/]+\.rd", re.IGNORECASE | re.DOTALL)

DOCUMENT_NAME_RULE = (
    *SUPPORTED_EXTENSIONS, _DOCUMENT_NAME.pattern, _DESCRIPTIONS_WORD.pattern, _SIGNATURE_NAME.pattern, _PROGRAMS_NAME.pattern,
    _RD_MACROS.pattern, _LEARN_NAME.pattern, *sorted(_TABLES_AS_TEXT), "templates/*.html, also fragments", "*.html around pages",
    "*.html of searches", "*.md.erb",
)  # fmt: skip
"""Everything that is_document_name(), may_be_description() and the functions of templates.py depend on: whoever keeps their decisions has
to make them anew when this changes.
"""

_ADVICE: Mapping[str, str] = {
    **dict.fromkeys((".doc", ".ott", ".rtf"), "Save it as `.docx` or `.odt` and give that instead."),
    **dict.fromkeys(
        (".tex", ".org", ".textile", ".mediawiki", ".man", ".pod"),
        "Convert it to Markdown or HTML (`pandoc`) and give that instead.",
    ),
    **dict.fromkeys(
        (".dita", ".ditamap"), "Publish it as HTML or Markdown (`dita --format=markdown`) and give that instead."
    ),
    ".mld": "Build it as HTML (`dune build @doc`) and give that instead.",
    ".rdoc": "Build it as HTML (`rdoc`) and give that instead.",
    ".rnw": "Knit it (`R CMD Sweave --pdf`) and give the PDF instead.",
    ".scrbl": "Build it as HTML or Markdown (`scribble --markdown`) and give that instead.",
    ".tutorial": "Build the documentation as HTML (`docc convert`) and give that instead.",
    **dict.fromkeys((".texi", ".texinfo"), "Convert it to HTML (`makeinfo --html`) and give that instead."),
    **dict.fromkeys((".dotx", ".dotm"), "Save the template as `.docx`, or name it by an include pattern."),
    **dict.fromkeys((".ppt", ".pps", ".pot", ".odp"), "Save it as `.pptx` and give that instead."),
    **dict.fromkeys((".xls", ".xlsb", ".xltx", ".xltm", ".ots"), "Save it as `.xlsx` or `.ods` and give that instead."),
    **dict.fromkeys(
        tuple(_DATA_EXTENSIONS),
        "Of JSON and YAML only API descriptions are read: OpenAPI 3 or Swagger 2, with a key `openapi` or `swagger`.",
    ),
}
_ADVICE_FOR_PROGRAMS = (
    "Texts called like those that only programs read (`requirements.txt`, `CMakeLists.txt`, `robots.txt`, `spelling_wordlist.txt`). "
    "Name one that is documentation by an include pattern."
)
# `tool.1` anywhere; `tool-2.1` and the like only in a folder of man pages, because elsewhere that is a version.
_MAN_PAGE = re.compile(
    r"(?:.*/)?(?:man\d?|man-?pages?)/(?:[^/]+/)?[^/]+\.[1-9][a-z]{0,3}|(?:.*/)?[a-z][\w+-]*(?<!\d)\.[1-9]",
    re.IGNORECASE | re.DOTALL,
)
_ADVICE_FOR_MAN_PAGES = "man pages (`.1` to `.9`): Convert them to Markdown or HTML (`pandoc`) and give that instead."
# The same as in sources/archive_formats.py, which parsers must not import.
_ARCHIVE_NAME = re.compile(
    r".*?(\.tar\.(?:gz|bz2|xz|zst)|\.(?:zip|tar|tgz|tbz2|txz|7z|rar))", re.IGNORECASE | re.DOTALL
)
_ADVICE_FOR_ARCHIVES = (
    "Unpack it, or upload what is in it as `.zip` or `.tar.gz`: an archive that is uploaded is opened."
)
_ADVICE_FOR_TABLES = "Tables as text are taken when an include pattern names them, or when they are uploaded."
_ADVICE_BY_NAME = (
    "JSON and YAML: Files with `openapi` or `swagger` in their name are taken, and API descriptions with the word `api` or `rest`. "
    "Name other API descriptions by an include pattern."
)


def is_document_name(path: str) -> bool:
    """Whether a file counts as documentation before it is read: by its extension, or as `README`, `openapi.yaml` and the like."""
    name = PurePosixPath(path).name
    extension = get_extension(path)
    if extension in _TABLES_AS_TEXT or _SIGNATURE_NAME.fullmatch(name) or _PROGRAMS_NAME.fullmatch(name):
        return False
    if extension == ".rd" and _RD_MACROS.fullmatch(path):
        return False
    return extension in BY_EXTENSION or _DOCUMENT_NAME.fullmatch(name) is not None


def may_be_description(path: str) -> bool:
    """Whether a file that is_document_name() refuses is an API description, or a page of Microsoft Learn, if its content says so:
    `boats_api.yaml`, `rest.json`, `boats-faq.yml`, `index.yml`.
    """
    if get_extension(path) not in _DATA_EXTENSIONS:
        return False
    name = PurePosixPath(path).name
    return bool(_DESCRIPTIONS_WORD.search(name) or _LEARN_NAME.fullmatch(name))


def is_packed_name(path: str) -> bool:
    """Whether a file's extension is that of a format that no text editor reads, so that the file includes no others."""
    return BY_EXTENSION.get(get_extension(path)) in PACKED


def has_known_extension(path: str) -> bool:
    """Whether the part after a name's last dot is an extension, even of a format without a parser: in `v2.0` it is not."""
    extension = get_extension(path)
    return extension in BY_EXTENSION or extension in _ADVICE


def find_advice(path: str) -> str:
    """For a file that is_document_name() refuses: which kind it is, and what to do about it. Empty if the kind is not one of documents, or
    if pages have their variables from the file.
    """
    if _PROGRAMS_NAME.fullmatch(PurePosixPath(path).name):
        return _ADVICE_FOR_PROGRAMS
    if _MAN_PAGE.fullmatch(path):
        return _ADVICE_FOR_MAN_PAGES
    if archive := _ARCHIVE_NAME.fullmatch(path):
        return f"`{archive[1].lower()}`: {_ADVICE_FOR_ARCHIVES}"
    extension = get_extension(path)
    if extension in _DATA_EXTENSIONS:
        return "" if tells_variables(path) else _ADVICE_BY_NAME
    advice = _ADVICE_FOR_TABLES if extension in _TABLES_AS_TEXT else _ADVICE.get(extension, "")
    return f"`{extension}`: {advice}" if advice else ""


def find_advice_for_format(path: str) -> str:
    """What to do about a file of a format without a parser; empty if nothing is known."""
    return _ADVICE.get(get_extension(path), _ADVICE_FOR_ARCHIVES if _ARCHIVE_NAME.fullmatch(path) else "")
