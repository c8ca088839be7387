"""HTML that a site or a program makes pages with, and which is no page itself."""

from __future__ import annotations

import re

from collections_app.parsing.documents import RawDocument

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
_WHOLE_PAGE = re.compile(rb"(?:\xef\xbb\xbf)?---\s|.*<(?:!doctype|html)\b", re.IGNORECASE | re.DOTALL)
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
