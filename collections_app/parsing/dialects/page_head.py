"""`<head>` in a page of Markdown, as Docusaurus has it: what is put into the head of the page that is made, and no reader sees. PURE.

https://docusaurus.io/docs/markdown-features/head-metadata
"""

from __future__ import annotations

import html
import re

from collections_app.parsing.safety.places import replace_outside_code

_HEAD = re.compile(
    r"^<(?P<name>[Hh]ead)>[ \t]*\n(?P<tags>\s*<(?:[^\n]*\n){1,50}?)[ \t]*</(?P=name)>[ \t]*$", re.MULTILINE
)
_META = re.compile(r"<meta\s(?P<attributes>[^<>]*)>")
_ATTRIBUTE = re.compile(r"(?<![\w-])(name|content)=(?:\"([^\"]*)\"|'([^']*)')")


def split_page_head(content: str) -> tuple[str, str]:
    """The text without it, its lines on their places; and what it says of the page (`description`), else nothing."""
    described = list[str]()

    def drop(head: re.Match[str]) -> str:
        described.extend(_read_descriptions(head["tags"]))
        return "\n" * head[0].count("\n")

    if "<head>" not in content and "<Head>" not in content:
        return content, ""
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
