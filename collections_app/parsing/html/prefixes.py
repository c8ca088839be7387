"""Names of elements without the prefix that stands for HTML (Namespaces in XML 1.0): `<h:p>` → `<p>`. It parses nothing."""

from __future__ import annotations

import re

# HTML holds elements of all three without a prefix.
_NAMESPACES = rb"http://www\.w3\.org/(?:1999/xhtml|1998/Math/MathML|2000/svg)"
_TAG = re.compile(rb"(</?)([A-Za-z_][\w.-]{0,40}):(?=[A-Za-z])")
_DECLARATION = re.compile(rb"""\bxmlns:([A-Za-z_][\w.-]{0,40})\s*+=\s*+["']%b["']""" % _NAMESPACES)


def drop_prefixes(content: bytes) -> bytes:
    """The page with the names of its elements as HTML has them; it is in UTF-8, or what agrees with ASCII."""
    prefixes = set(_DECLARATION.findall(content))
    if not prefixes:
        return content
    return _TAG.sub(lambda tag: tag[1] if tag[2] in prefixes else tag[0], content)
