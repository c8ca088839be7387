"""Links in Markdown: those of llms.txt (llmstxt.org), and of pages that a site serves as Markdown. Resolves and fetches none of them."""

from __future__ import annotations

import re
from collections.abc import Iterator

_CODE_BLOCK = re.compile(
    r"^ {0,3}(?P<fence>`{3,}|~{3,})[^\n]*$.*?(?:^ {0,3}(?P=fence)[^\n]*$|\Z)", re.MULTILINE | re.DOTALL
)
_LINK = re.compile(
    r"\]\(\s*(?:<(?P<angled>[^<>\n]{1,2000})>|(?P<inline>[^\s<>()]+(?:\([^\s<>()]*\)[^\s<>()]*)*))"
    r"|^ {0,3}\[[^\]\n]{1,300}\]:\s*<?(?P<definition>[^\s<>]+)"
    r"|<(?P<automatic>https?://[^\s<>]+)>",
    re.MULTILINE,
)


def iter_links(text: str) -> Iterator[str]:
    """The targets of a Markdown text's links, link definitions and <URLs>, in order, as written, including images."""
    for link in _LINK.finditer(_CODE_BLOCK.sub("", text)):
        yield link[link.lastgroup or 0]


def iter_page_urls(markdown_url: str) -> Iterator[str]:
    """The pages whose Markdown a URL ending in `.md` may be: `a.html.md` is that of `a.html`, `a.md` that of `a.html` or `a`."""
    page, dot, extension = markdown_url.rpartition(".")
    if not dot or extension.lower() != "md":
        return
    yield page
    yield f"{page}.html"
