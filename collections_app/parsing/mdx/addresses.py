"""Addresses in MDX expressions (`src={useBaseUrl('/img/a.png')}`, `src={require('./a.png').default}`), as Docusaurus has them: the text in
the expression is the address of the picture or link.
"""

from __future__ import annotations

import re

from collections_app.parsing.dialects.mdx_code import replace_outside_mdx_code

_ADDRESS = re.compile(
    r"(?<=\s)(?P<name>href|src|to)=\{[ \t]*+(?:(?:useBaseUrl|require)\([ \t]*+)?(?P<quote>[\"'`])(?P<address>[^\"'`<>{}\s]++)(?P=quote)"
    r"[ \t]*+\)?+(?:\.default)?+[ \t]*+\}"
)
_STATIC = re.compile(r"^@site/static(?=/)")


def write_addresses(content: str) -> str:
    """The text with these addresses as in HTML."""
    return replace_outside_mdx_code(_ADDRESS, _write, content)


def _write(found: re.Match[str]) -> str:
    return f'{found["name"]}="{_STATIC.sub("", found["address"])}"'
