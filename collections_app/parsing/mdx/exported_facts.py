"""What an MDX page exports of itself (`export const metadata = { title: "Sails" }`), as pages of Next.js do in place of front matter. It
runs nothing: only texts that are written out count.
"""

from __future__ import annotations

import re

from collections_app.parsing.dialects.mdx_code import MdxCode

_BEGINS = re.compile(r"^export[ \t]+const[ \t]+(?:meta|metadata|front[mM]atter)\b[^\n={]{0,100}=[ \t]*\{", re.MULTILINE)
_ENDS = re.compile(r"^\}", re.MULTILINE)
_MAX_CHARACTERS = 10_000
_FACT = re.compile(
    r"[{,]\s*[\"']?(?P<key>title|description)[\"']?\s*:\s*"
    r"(?P<quote>[\"'`])(?P<text>(?:\\.|(?!(?P=quote))[^\\\n$])*+)(?P=quote)"
)
_ESCAPED = re.compile(r"\\(.)")


def read_exported_facts(content: str) -> dict[str, str]:
    """`title` and `description`, where the page says them."""
    begins = _BEGINS.search(content)
    if not begins or MdxCode(content).holds(begins.start()):
        return {}
    said = content[begins.end() - 1 : begins.end() + _MAX_CHARACTERS]
    line_end = said.find("\n")
    if ends := _ENDS.search(said, max(line_end, 0)):
        said = said[: ends.start()]
    facts: dict[str, str] = {}
    for fact in _FACT.finditer(said):
        if said.count("{", 0, fact.start("key")) - said.count("}", 0, fact.start("key")) > 1:
            continue  # of an object in it
        facts.setdefault(fact["key"], " ".join(_ESCAPED.sub(r"\1", fact["text"]).split()))
    return facts
