"""Removes the namespace prefix for HTML from element names (Namespaces in XML 1.0): `<h:p>` → `<p>`. It parses nothing."""

from __future__ import annotations

import re

# HTML contains elements of these namespaces without a prefix.
_NAMESPACES = rb"http://www\.w3\.org/(?:1999/xhtml|1998/Math/MathML|2000/svg)"
_TAG = re.compile(rb"(</?)([A-Za-z_][\w.-]{0,40}):(?=[A-Za-z])")
_DECLARATION = re.compile(rb"""\bxmlns:([A-Za-z_][\w.-]{0,40})\s*+=\s*+["']%b["']""" % _NAMESPACES)


def drop_prefixes(content: bytes) -> bytes:
    """The page with HTML's element names without prefix; the page is in UTF-8 or another encoding that agrees with ASCII."""
    prefixes = set(_DECLARATION.findall(content))
    if not prefixes:
        return content
    return _TAG.sub(lambda tag: tag[1] if tag[2] in prefixes else tag[0], content)
