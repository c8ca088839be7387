"""Blocks of a Liquid site's own tags that are told what to show in YAML, as in Kong's documentation (`{% table %}`, `{% validation %}`): a
table with columns and rows is one, all others are code. Tags around nothing but fenced code go, whatever they are told. PURE.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from textwrap import dedent
from typing import Any

from collections_app.exceptions import ParseError
from collections_app.parsing.dialects.template_tags.gitbook_blocks import BLOCKS
from collections_app.parsing.dialects.template_tags.meanings import KNOWN
from collections_app.parsing.html.escaping import make_fence
from collections_app.parsing.json_values import clean_text
from collections_app.parsing.safety.places import Places
from collections_app.parsing.yaml_files import read_yaml
from collections_app.text.spans import replace_spans

_TAG = re.compile(
    r"^(?P<indent>[ \t]*+)\{%-?[ \t]*+(?P<end>end)?(?P<name>[a-z][a-z_]*+)(?P<arguments>[^{}%\n]{0,200}?)-?%\}[ \t]*$",
    re.MULTILINE,
)
# What Liquid has itself, and tags with another meaning.
_OTHERS = KNOWN | BLOCKS | {"capture", "case", "for", "if", "schema", "tablerow", "unless"}
_FIRST_LINE = re.compile(r"\s*+(?:#[^\n]*+\n\s*+)*+[A-Za-z_][\w.-]*+:(?:[ \t\n]|$)")
# Lines at the margin of a mapping whose values are lists or mappings.
_AT_MARGIN = re.compile(r"^(?!\s|#|$|- |-$|[\w.\"'-]+:(?:\s|$)|\}|\])", re.MULTILINE)
_FENCED = re.compile(r"\s*+(?:`{3,}[^`\n]*+\n(?:(?![ \t]*`{3})[^\n]*+\n)*+[ \t]*+`{3,}[ \t]*+(?:\n\s*+|\Z))++")
_MAX_CHARACTERS = 100_000
_ROWS = ("rows", "features", "items")
_YES = {True: "yes", False: "no", None: ""}


def write_yaml_blocks(content: str) -> str:
    """The text with such blocks as tables and fenced code. No line moves."""
    if "{% end" not in content and "{%- end" not in content:
        return content
    places = Places(content, has_markup=True)
    return replace_spans(content, list(_iter_changes(content, places)))


def _iter_changes(content: str, places: Places) -> Iterator[tuple[int, int, str]]:
    opening: re.Match[str] | None = None
    for tag in _TAG.finditer(content):
        if not tag["end"]:
            opening = None if tag["name"] in _OTHERS or places.is_code_at(tag.end() - 1) else tag
        elif opening and opening["name"] == tag["name"]:
            body = content[opening.end() + 1 : tag.start()]
            if written := _write(body, opening):
                missing = content.count("\n", opening.start(), tag.end()) - written.count("\n")
                if missing >= 0:
                    yield opening.start(), tag.end(), written + "\n" * missing
            opening = None


def _write(body: str, opening: re.Match[str]) -> str:
    """What is shown of a block; empty if it has no YAML."""
    told = dedent(body)
    if _FENCED.fullmatch(body):
        return f"\n{body}"
    if len(body) > _MAX_CHARACTERS or not _FIRST_LINE.match(told) or _AT_MARGIN.search(told):
        return ""
    lines = _write_table(told) or [make_fence(body) + "yaml", *told.rstrip("\n").split("\n"), make_fence(body)]
    return "\n".join(f"{opening['indent']}{line}".rstrip() for line in lines)


def _write_table(told: str) -> Sequence[str]:
    """The lines of a table; empty if the text has no columns and rows."""
    if not told.lstrip().startswith(("columns:", "item_title:", "title:")) and "\ncolumns:" not in told:
        return ()
    try:
        table = read_yaml(told)
    except ParseError:
        return ()
    columns = _list_mappings(table, "columns")
    rows = next((rows for name in _ROWS if (rows := _list_mappings(table, name))), ())
    if not columns or not rows:
        return ()
    keys = [str(column.get("key", "")) for column in columns]
    titles = [_write_cell(column.get("title")) for column in columns]
    if "title" not in keys and any("title" in row for row in rows):
        keys, titles = ["title", *keys], [_write_cell(table.get("item_title")), *titles]
    cells = [titles, ["---"] * len(keys), *([_write_cell(row.get(key)) for key in keys] for row in rows)]
    return ["| " + " | ".join(row) + " |" for row in cells]


def _list_mappings(table: Any, name: str) -> Sequence[Mapping[str, Any]]:
    found = table.get(name) if isinstance(table, dict) else None
    are_mappings = isinstance(found, list) and all(isinstance(each, dict) for each in found)
    return found if found and are_mappings else ()


def _write_cell(value: Any) -> str:
    if value is None or isinstance(value, bool):
        return _YES[value]
    words = clean_text(value) if isinstance(value, str) else str(value) if isinstance(value, int | float) else ""
    return "<br>".join(line.strip() for line in words.split("\n") if line.strip()).replace("|", "\\|")
