"""HTML that a site or a program makes pages with, or searches them with, and which is no page itself."""

from __future__ import annotations

import re
from pathlib import PurePosixPath

from collections_app.parsing.documents import RawDocument
from collections_app.parsing.file_names import get_extension

# Templates of a theme (Sphinx, MkDocs, Jekyll), or Hugo's layouts.
_THEME_PATH = re.compile(r"(?:^|/)(?:_?themes?|_?layouts|overrides)/(?:.*/)?[^/]*\.html?$", re.IGNORECASE | re.DOTALL)
# Templates of a program (Jinja, Django, Go).
_PROGRAMS_TEMPLATE_PATH = re.compile(r"(?:^|/)templates/(?:.*/)?[^/]*\.html?$", re.IGNORECASE | re.DOTALL)
# Only comments and the beginning of a page may come before.
_TEMPLATE_START = re.compile(
    rb"(?:\xef\xbb\xbf)?(?:\s|<!--.*?-->|</?(?:!doctype|html|head|meta|title|link)\b[^<>{]*>)*+\{[{%#]",
    re.IGNORECASE | re.DOTALL,
)

# What a fragment of a page does not have: the beginning of a whole page, front matter.
_WHOLE_PAGE = re.compile(rb"(?:\xef\xbb\xbf)?---\s|.*?<(?:!doctype|html)\b", re.IGNORECASE | re.DOTALL)
_IN_ALL_PAGES = frozenset({b"header", b"footer", b"nav", b"script", b"style", b"head"})
_TOKEN = re.compile(
    rb"<!--.*?(?:-->|\Z)|<(?P<end>/?)(?P<name>[a-z][\w:-]*+)(?:[^<>\"']|\"[^\"]*+\"|'[^']*+')*+>|<?[^<]*+",
    re.IGNORECASE | re.DOTALL,
)
# What a page may have besides text that is read: pictures' texts, templates in scripts, where it leads, what its server puts in.
_OTHER_CONTENT = re.compile(
    rb"<(?:img|meta|i?frame|frameset|body|template|!--#)|text/(?:x-|html|template)", re.IGNORECASE
)
# Where Doxygen shows what its search finds, a page for each letter; later versions show it in the pages themselves.
_DOXYGENS_RESULTS = b'<body class="SRPage">'
_SPHINXS_SEARCH = b"searchtools.js"
RUSTDOC = "rustdoc"
_RUSTDOCS_LISTS = frozenset({"all.html", "help.html", "settings.html"})
_RUSTDOC = re.compile(rb"<meta name=[\"']?generator[\"']? content=[\"']?rustdoc\b", re.IGNORECASE)
_PRINT_NAME = re.compile(r"(?:^|/)(?:print(?:_page)?|(?:_print|print_page)/index)\.html?$", re.IGNORECASE)
_NOINDEX = re.compile(rb"<meta name=[\"']?robots[\"']? content=[\"']?noindex\b", re.IGNORECASE)
_HEAD_BYTES = 5000
_SIGN_OR_CODE = re.compile(rb"\{[{%]-?\s|<(?P<end>/)?(?:code|pre)\b", re.IGNORECASE)


def is_theme_path(path: str) -> bool:
    """Whether HTML at this path may be a template of a site's theme. detect_format() refuses such a template."""
    return _THEME_PATH.search(path) is not None


def is_programs_template_path(path: str) -> bool:
    """Whether HTML at this path may be a template that a program fills in."""
    return _PROGRAMS_TEMPLATE_PATH.search(path) is not None


def is_template(raw: RawDocument) -> bool:
    """Whether a site or a program uses it as a template for pages."""
    is_programs = is_programs_template_path(raw.path)
    if not is_programs and not is_theme_path(raw.path):
        return False
    return _TEMPLATE_START.match(raw.content) is not None or (is_programs and _is_fragment(raw.content))


def is_html_name(path: str) -> bool:
    return get_extension(path) in (".html", ".htm")


def is_frame_of_pages(raw: RawDocument) -> bool:
    """Whether it is HTML that a site puts around its pages, such as a header or a footer: no whole page, and without text of its own."""
    if b"<" not in raw.content or _WHOLE_PAGE.match(raw.content) or _OTHER_CONTENT.search(raw.content):
        return False
    depth = 0
    for token in _TOKEN.finditer(raw.content):
        if token["name"]:
            is_inside = token["name"].lower() in _IN_ALL_PAGES
            depth = max(depth + (-1 if token["end"] else 1), 0) if is_inside else depth
        elif not (depth or token[0].startswith(b"<!") or token[0].isspace() or not token[0]):
            return False
    return True


def is_search_page(raw: RawDocument) -> bool:
    """Whether it is HTML in which a built site (Doxygen, Sphinx) shows what a search finds: without scripts, nothing."""
    is_sphinxs = PurePosixPath(raw.path).name == "search.html" and _SPHINXS_SEARCH in raw.content
    return is_sphinxs or _DOXYGENS_RESULTS in raw.content


def is_rustdocs_name(path: str) -> bool:
    """Whether a page of rustdoc at this path is a list, or is written by scripts: items are called like `fn.pour.html`."""
    return path.rpartition("/")[2] in _RUSTDOCS_LISTS


def is_rustdocs_list(raw: RawDocument) -> bool:
    """Whether it is rustdoc's list of everything in a crate, or one of its pages for scripts to write."""
    return is_rustdocs_name(raw.path) and _RUSTDOC.search(raw.content, 0, _HEAD_BYTES) is not None


def is_print_page(raw: RawDocument) -> bool:
    """Whether it is HTML in which a built site (mdBook, Docsy) has all its pages once more, to be printed: no search engine may list it."""
    return _PRINT_NAME.search(raw.path) is not None and _NOINDEX.search(raw.content, 0, _HEAD_BYTES) is not None


def _is_fragment(content: bytes) -> bool:
    """Whether it is a part of a page that has the sign of a template anywhere, but in code."""
    if _WHOLE_PAGE.match(content):
        return False
    depth = 0
    for found in _SIGN_OR_CODE.finditer(content):
        if found[0].startswith(b"{"):
            if not depth:
                return True
        else:
            depth = max(depth - 1, 0) if found["end"] else depth + 1
    return False
