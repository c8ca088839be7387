"""What an MDX page exports about itself (`export const metadata = { title: "Sails" }`, `export const title = "Sails"`), as in Next.js,
instead of front matter. It runs nothing: only literal texts count.
"""

from __future__ import annotations

import re

from collections_app.parsing.dialects.mdx_code import MdxPlaces

_BEGINS = re.compile(r"^export[ \t]+const[ \t]+(?:meta|metadata|front[mM]atter)\b[^\n={]{0,100}=[ \t]*\{", re.MULTILINE)
_ENDS = re.compile(r"^\}", re.MULTILINE)
_MAX_CHARACTERS = 10_000
_TEXT = r"(?P<quote>[\"'`])(?P<text>(?:\\.|(?!(?P=quote))[^\\\n$])*+)(?P=quote)"
_FACT = re.compile(rf"[{{,]\s*[\"']?(?P<key>title|description)[\"']?\s*:\s*{_TEXT}")
_LONE_FACT = re.compile(rf"^export[ \t]+const[ \t]+(?P<key>title|description)[ \t]*=\s*{_TEXT}", re.MULTILINE)
_ESCAPED = re.compile(r"\\(.)")


def read_exported_facts(content: str) -> dict[str, str]:
    """`title` and `description`, if the page exports them."""
    if "export" not in content:
        return {}
    places = MdxPlaces(content)
    facts = {fact["key"]: _read(fact) for fact in _LONE_FACT.finditer(content) if not places.is_code_at(fact.start())}
    begins = _BEGINS.search(content)
    if not begins or places.is_code_at(begins.start()):
        return facts
    said = content[begins.end() - 1 : begins.end() + _MAX_CHARACTERS]
    line_end = said.find("\n")
    if ends := _ENDS.search(said, max(line_end, 0)):
        said = said[: ends.start()]
    for fact in _FACT.finditer(said):
        if said.count("{", 0, fact.start("key")) - said.count("}", 0, fact.start("key")) > 1:
            continue  # they belong to an object inside it
        facts.setdefault(fact["key"], _read(fact))
    return facts


def _read(fact: re.Match[str]) -> str:
    return " ".join(_ESCAPED.sub(r"\1", fact["text"]).split())
