"""Tags that show what the front matter says: Grafana's cards (`{{< card-grid key="cards" >}}`) and head of a start page
(`{{< docs/hero-simple key="hero" >}}`), and includes of Jekyll that are given a list of cards (`{% include cards.html of=page.cards %}`).
PURE.

https://grafana.com/docs/writers-toolkit/write/shortcodes/
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from collections_app.parsing.dialects.shown_tags import write_title
from collections_app.parsing.dialects.template_tags.arguments import read_arguments
from collections_app.parsing.html.escaping import escape_line_start
from collections_app.parsing.json_values import clean_text
from collections_app.parsing.safety.places import replace_outside_code

_TAG = re.compile(
    r"^(?:\{\{[<%][ \t]*+(?:docs/)?(?P<name>card-grid|hero-simple)(?P<arguments>[ \t][^{}\n]{0,1000})[>%]\}\}"
    r"|[ \t]*+\{%-?[ \t]*+include[ \t]++[\w./-]++(?<=\.html)[ \t](?P<given>[^{}\n]{0,1000})%\})[ \t]*$",
    re.MULTILINE,
)
_SIGNS = ("card-grid", "hero-simple", "=page.", "= page.")
_OF_PAGE = re.compile(r"=[ \t]*+page\.([\w-]++)")
_TITLES, _ADDRESSES = ("title", "heading", "name"), ("href", "link", "url")


def write_front_matter_cards(content: str, metadata: Mapping[str, Any], title: str) -> str:
    """The text with the cards as a list, and the description of a head in its place, below its title if that is not the page's. What
    follows cards moves down. Each is shown once.
    """
    if not any(sign in content for sign in _SIGNS):
        return content
    shown = set[str]()

    def write(tag: re.Match[str]) -> str:
        for key in _find_keys(tag):
            if key in shown:
                return ""
            told = metadata.get(key)
            if written := _describe_head(told, title) if tag["name"] == "hero-simple" else "\n".join(_iter_cards(told)):
                shown.add(key)
                return written
        return tag[0]

    return replace_outside_code(_TAG, write, content)


def _find_keys(tag: re.Match[str]) -> Sequence[str]:
    """The keys of the front matter that a tag names."""
    if not tag["name"]:
        return _OF_PAGE.findall(tag["given"])
    return [read_arguments(tag["arguments"].rstrip("/ \t")).get("key")]


def _iter_cards(told: object) -> Iterator[str]:
    """The lines of a list of cards, with what a card lists below it."""
    items = told.get("items") if isinstance(told, dict) else told
    for item in items if isinstance(items, list) else ():
        card = item if isinstance(item, dict) else {}
        if title := _read(card, *_TITLES):
            yield f"- {write_title(title, _read(card, *_ADDRESSES))}{_read(card, 'description')}".rstrip()
            points = card.get("list")
            yield from (
                f"  - {_clean(point)}" for point in (points if isinstance(points, list) else ()) if _clean(point)
            )


def _describe_head(told: object, title: str) -> str:
    head = told if isinstance(told, dict) else {}
    own = _read(head, "title")
    words = write_title(own, "") if own and own != title else ""
    return f"{words}{escape_line_start(_read(head, 'description'))}".rstrip()


def _read(told: Mapping[str, Any], *names: str) -> str:
    return next(filter(None, (_clean(told.get(name)) for name in names)), "")


def _clean(value: object) -> str:
    return " ".join(clean_text(value).split()) if isinstance(value, str) else ""
