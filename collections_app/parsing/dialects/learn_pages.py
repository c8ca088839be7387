"""Pages that Microsoft Learn keeps in YAML (`### YamlMime:FAQ`, `Landing` or `Hub` in a `.yml` file) → a page of Markdown, with front
matter: questions with their answers, a heading for each; pages that lead to others, as lists of links, so that no heading is called like
the page that it leads to. Others are none of Markdown.

https://learn.microsoft.com/en-us/contribute/content/faq-schema-overview
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from collections_app.parsing.html.escaping import make_link
from collections_app.parsing.json_values import clean_text
from collections_app.parsing.yaml_files import read_yaml_object

LEARN_SIGN = re.compile(rb"(?:\xef\xbb\xbf)?#+[ \t]*YamlMime:[ \t]*(FAQ|Hub|Landing)[ \t]*\r?\n")
_MAX_DEPTH = 10


def write_learn_page(text: str) -> str:
    """The page as Markdown; the text itself if it is no such file. Raises ParseError, with the line, for broken YAML."""
    sign = LEARN_SIGN.match(text[:100].encode()) if "YamlMime" in text[:100] else None
    if not sign:
        return text
    page = read_yaml_object(text)
    told = page.get("metadata")
    facts = told if isinstance(told, dict) else {}
    if title := _get_line(page, "title"):
        facts = {**facts, "title": title}
    blocks = _iter_questions(page) if sign[1] == b"FAQ" else _iter_places(page)
    written = [_write_front_matter(facts), _get_text(page, "summary").strip(), *(block.strip("\n") for block in blocks)]
    return "\n\n".join(filter(None, written)) + "\n"


def _write_front_matter(facts: Mapping[str, Any]) -> str:
    lines = (f"{json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}" for key, value in facts.items())
    return "\n".join(["---", *lines, "---"])


def _iter_questions(faq: Mapping[str, Any]) -> Iterator[str]:
    for section in _get_mappings(faq, "sections"):
        name = _get_line(section, "name")
        if name:
            yield f"## {name}"
        for each in _get_mappings(section, "questions"):
            yield f"{'###' if name else '##'} {_get_line(each, 'question')}"
            yield _get_text(each, "answer")
    yield _get_text(faq, "additionalContent")


def _iter_places(page: Mapping[str, Any]) -> Iterator[str]:
    """A heading for each titled part of a hub; what has none comes first, and so is below no other's."""
    parts = [value for key, value in page.items() if isinstance(value, dict) and key != "metadata"]
    for part in [
        {"items": page.get("landingContent")},
        *sorted(parts, key=lambda part: bool(_get_line(part, "title"))),
    ]:
        if title := _get_line(part, "title"):
            yield f"## {title}"
        yield _get_text(part, "summary")
        yield "\n".join(_iter_links(part))
        yield _get_text(part, "footer")


def _iter_links(holder: Mapping[str, Any], depth: int = 0) -> Iterator[str]:
    """The lines of a list of what leads somewhere, or has such entries below it."""
    kind = _get_line(holder, "linkListType")
    for key, value in holder.items():
        for entry in [value] if isinstance(value, dict) else _get_mappings(holder, key):
            name, address = _get_line(entry, "title") or _get_line(entry, "text"), _get_line(entry, "url")
            inner = _iter_links(entry, depth + bool(name)) if depth < _MAX_DEPTH else ()
            if name:
                link = make_link(name, address) if address else name
                note = f" ({kind or _get_line(entry, 'itemType')})" if kind or "itemType" in entry else ""
                summary = _get_line(entry, "summary")
                yield f"{'  ' * depth}- {link}{note}{': ' if summary else ''}{summary}"
            yield from inner


def _get_mappings(holder: Mapping[str, Any], key: str) -> list[dict[str, Any]]:
    value = holder.get(key)
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


def _get_line(holder: Mapping[str, Any], key: str) -> str:
    return " ".join(_get_text(holder, key).split())


def _get_text(holder: Mapping[str, Any], key: str) -> str:
    value = holder.get(key)
    return clean_text(value) if isinstance(value, str) else ""
