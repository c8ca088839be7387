"""Grafana's shortcodes that show what the front matter says: cards (`{{< card-grid key="cards" >}}`) and the head of a start page
(`{{< docs/hero-simple key="hero" >}}`). PURE.

https://grafana.com/docs/writers-toolkit/write/shortcodes/
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from collections_app.parsing.dialects.shown_tags import write_title
from collections_app.parsing.dialects.tag_arguments import read_arguments
from collections_app.parsing.html.escaping import escape_line_start
from collections_app.parsing.json_values import clean_text
from collections_app.parsing.safety.places import replace_outside_code

_TAG = re.compile(
    r"^\{\{[<%][ \t]*+(?:docs/)?(?P<name>card-grid|hero-simple)(?P<arguments>[ \t][^{}\n]{0,1000})[>%]\}\}[ \t]*$",
    re.MULTILINE,
)


def write_front_matter_cards(content: str, metadata: Mapping[str, Any], title: str) -> str:
    """The text with the cards as a list, and the description of a head in its place, below its title if that is not the page's. What
    follows cards moves down. Each is shown once.
    """
    if "card-grid" not in content and "hero-simple" not in content:
        return content
    shown = set[str]()

    def write(tag: re.Match[str]) -> str:
        key = read_arguments(tag["arguments"].rstrip("/ \t")).get("key")
        told = metadata.get(key)
        if key in shown:
            return ""
        if not isinstance(told, dict):
            return tag[0]
        lines = _iter_cards(told) if tag["name"] == "card-grid" else [_describe_head(told, title)]
        written = "\n".join(filter(None, lines))
        shown.update({key} if written else ())
        return written or tag[0]

    return replace_outside_code(_TAG, write, content)


def _iter_cards(told: Mapping[str, Any]) -> Iterator[str]:
    items = told.get("items")
    for item in items if isinstance(items, list) else ():
        card = item if isinstance(item, dict) else {}
        if title := _read(card, "title"):
            yield f"- {write_title(title, _read(card, 'href'))}{_read(card, 'description')}".rstrip()


def _describe_head(told: Mapping[str, Any], title: str) -> str:
    own = _read(told, "title")
    words = write_title(own, "") if own and own != title else ""
    return f"{words}{escape_line_start(_read(told, 'description'))}".rstrip()


def _read(told: Mapping[str, Any], name: str) -> str:
    value = told.get(name)
    return " ".join(clean_text(value).split()) if isinstance(value, str) else ""
