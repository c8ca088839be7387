"""Addresses that an expression gives in MDX (`src={useBaseUrl('/img/a.png')}`, `src={require('./a.png').default}`), as Docusaurus has them:
what is in it is where the picture or the link leads.
"""

from __future__ import annotations

import re

from collections_app.parsing.dialects.mdx_code import MdxCode

_ADDRESS = re.compile(
    r"(?<=\s)(?P<name>href|src|to)=\{[ \t]*+(?:(?:useBaseUrl|require)\([ \t]*+)?(?P<quote>[\"'`])(?P<address>[^\"'`<>{}\s]++)(?P=quote)"
    r"[ \t]*+\)?+(?:\.default)?+[ \t]*+\}"
)
_STATIC = re.compile(r"^@site/static(?=/)")


def write_addresses(content: str) -> str:
    """The text with these as they would stand in HTML."""
    if not _ADDRESS.search(content):
        return content
    code = MdxCode(content)

    def write(found: re.Match[str]) -> str:
        if code.holds(found.start()):
            return found[0]
        return f'{found["name"]}="{_STATIC.sub("", found["address"])}"'

    return _ADDRESS.sub(write, content)
