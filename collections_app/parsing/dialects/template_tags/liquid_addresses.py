"""Addresses that Jekyll's filters build from a path (`{{ '/docs/' | relative_url }}`), replaced with the path itself. PURE.

https://jekyllrb.com/docs/liquid/filters/
"""

from __future__ import annotations

import re

from collections_app.parsing.safety.places import replace_outside_code

# What stands before it is looked for last: a pattern that begins with certain characters is searched for much faster.
_ADDRESS = re.compile(
    r"\{\{(?:(?<=\]\(..)|(?<=\]: ..)|(?<=(?:href|.src)=[\"']..))"
    r"-?\s*+(?P<quote>[\"'])(?P<path>[^\"'{}|\s]++)(?P=quote)\s*+\|\s*+(?:(?:relative|absolute)_url|prepend:\s*+site\.(?:baseurl|url))\s*+-?\}\}"
)


def write_liquid_addresses(content: str) -> str:
    """The text with these addresses replaced in links; elsewhere they stay, as examples on a page about Liquid."""
    return replace_outside_code(_ADDRESS, _get_path, content)


def write_liquid_addresses_in_html(html: str) -> str:
    """The same for HTML, parts of which CommonMark would take for code."""
    return _ADDRESS.sub(_get_path, html)


def _get_path(found: re.Match[str]) -> str:
    return found["path"]
