"""`<head>` in a Markdown page, as in Docusaurus: it goes into the head of the built page, and readers do not see it. PURE.

https://docusaurus.io/docs/markdown-features/head-metadata
"""

from __future__ import annotations

import html
import re

from collections_app.parsing.safety.places import Places, replace_outside_code, would_become_code

_HEAD = re.compile(
    r"^<(?P<name>[Hh]ead)>[ \t]*\n(?P<tags>\s*<(?:[^\n]*\n){1,50}?)[ \t]*</(?P=name)>[ \t]*$", re.MULTILINE
)
_FENCE = re.compile(r"^[ \t]*(?:`{3}|~{3})", re.MULTILINE)
_META = re.compile(r"<meta\s(?P<attributes>[^<>]*)>")
_ATTRIBUTE = re.compile(r"(?<![\w-])(name|content)=(?:\"([^\"]*)\"|'([^']*)')")


def split_page_head(content: str) -> tuple[str, str]:
    """The text without its `<head>`, with no line moved; and the description in the head, or an empty text."""
    described = list[str]()

    def drop(head: re.Match[str]) -> str:
        is_shown = head.start() > 0 and places.is_html(head.start() - 1)  # within a comment or another element
        if is_shown or _FENCE.search(head["tags"]) or would_become_code(content, head.end()):
            return head[0]
        described.extend(_read_descriptions(head["tags"]))
        return "\n" * head[0].count("\n")

    if "<head>" not in content and "<Head>" not in content:
        return content, ""
    places = Places(content, has_markup=True)
    without = replace_outside_code(_HEAD, drop, content)
    return without, next(iter(described), "")


def _read_descriptions(tags: str) -> list[str]:
    metas = [
        {key: double or single for key, double, single in _ATTRIBUTE.findall(meta["attributes"])}
        for meta in _META.finditer(tags)
    ]
    return [
        " ".join(html.unescape(meta["content"]).split())
        for meta in metas
        if meta.get("name") == "description" and meta.get("content")
    ]
