"""What an MDX page exports: about itself (`export const metadata = { title: "Sails" }`, `export const title = "Sails"`), as in Next.js,
instead of front matter, and for its components (`<FAQ rows={faq.sails} />`). It runs nothing: only what is written out counts.
"""

from __future__ import annotations

import re

from collections_app.parsing.dialects.components.literals import Literal, read_literal
from collections_app.parsing.dialects.mdx_code import MAX_TAG_CHARACTERS, MdxPlaces, replace_outside_mdx_code

_BEGINS = re.compile(r"^export[ \t]+const[ \t]+(?:meta|metadata|front[mM]atter)\b[^\n={]{0,100}=[ \t]*\{", re.MULTILINE)
_ENDS = re.compile(r"^\}", re.MULTILINE)
_MAX_CHARACTERS = 10_000
_TEXT = r"(?P<quote>[\"'`])(?P<text>(?:\\.|(?!(?P=quote))[^\\\n$])*+)(?P=quote)"
_FACT = re.compile(rf"[{{,]\s*[\"']?(?P<key>title|description)[\"']?\s*:\s*{_TEXT}")
_LONE_FACT = re.compile(rf"^export[ \t]+const[ \t]+(?P<key>title|description)[ \t]*=\s*{_TEXT}", re.MULTILINE)
_ESCAPED = re.compile(r"\\(.)")
_VALUE = re.compile(r"^export[ \t]+const[ \t]+(?P<name>\w+)\b[^\n={]{0,100}=\s*(?=[\[{])", re.MULTILINE)
_GIVEN = re.compile(r"(?<=\w=\{)\s*+(?P<name>[A-Za-z]\w*+)(?P<path>(?:\.\w++)*+)\s*+(?=\})")
# Those that end a text, or mean something in a tag.
_SIGNS = str.maketrans({sign: f"\\u{ord(sign):04x}" for sign in "\"'`{}\\\n\r\t"})


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


def write_exported_values(content: str) -> str:
    """The text with arrays, and objects of objects, that the page exports in the attributes that name them, each once. The tags become
    longer, on more lines.
    """
    if "export const" not in content:
        return content
    places = MdxPlaces(content)
    values = {
        found["name"]: read_literal(content, found.end())[0]
        for found in _VALUE.finditer(content)
        if not places.is_code_at(found.start())
    }

    def write(given: re.Match[str]) -> str:
        name, *path = (given["name"] + given["path"]).split(".")
        holder: dict[str, Literal] = values
        while path and isinstance(inner := holder.get(name), dict):
            holder, name = inner, path.pop(0)
        value = None if path else holder.get(name)
        rows = value if isinstance(value, list) else [*value.values()] if isinstance(value, dict) else []
        is_shown = bool(rows) and (isinstance(value, list) or all(isinstance(row, dict) for row in rows))
        written = _write_literal(value) if is_shown else ""
        if not 0 < len(written) < MAX_TAG_CHARACTERS // 2:
            return given[0]
        del holder[name]
        return written

    return replace_outside_mdx_code(_GIVEN, write, content) if values else content


def _write_literal(value: Literal) -> str:
    """The value on several lines, without signs that could end a text or an expression."""
    if isinstance(value, str):
        return f'"{value.translate(_SIGNS)}"' + "\n" * (value.count("\n") and value.count("\n") + 2)
    if isinstance(value, list):
        return "\n".join(["[", ",\n".join(map(_write_literal, value)), "]"])
    if isinstance(value, dict):
        return "\n".join(["{", ",\n".join(f'"{key}": {_write_literal(each)}' for key, each in value.items()), "}"])
    return "null"
