"""Questions with their answers as Microsoft Learn keeps them (`### YamlMime:FAQ` in a `.yml` file) → a page of Markdown, with front
matter, a heading for each section and question. Other pages in YAML are none of Markdown.

https://learn.microsoft.com/en-us/contribute/content/faq-schema-overview
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from collections_app.parsing.json_values import clean_text
from collections_app.parsing.yaml_files import read_yaml_object

FAQ_SIGN = re.compile(rb"(?:\xef\xbb\xbf)?#+[ \t]*YamlMime:[ \t]*FAQ[ \t]*\r?\n")


def write_faq(text: str) -> str:
    """The page of questions; the text itself if it is no such file. Raises ParseError, with the line, for broken YAML."""
    if "YamlMime" not in text[:100] or not FAQ_SIGN.match(text[:100].encode()):
        return text
    faq = read_yaml_object(text)
    told = faq.get("metadata")
    facts = told if isinstance(told, dict) else {}
    if title := _get_line(faq, "title"):
        facts = {**facts, "title": title}
    return "\n\n".join([_write_front_matter(facts), *filter(None, map(str.strip, _iter_blocks(faq)))]) + "\n"


def _write_front_matter(facts: Mapping[str, Any]) -> str:
    lines = (f"{json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}" for key, value in facts.items())
    return "\n".join(["---", *lines, "---"])


def _iter_blocks(faq: Mapping[str, Any]) -> Iterator[str]:
    yield _get_text(faq, "summary")
    for section in _get_mappings(faq, "sections"):
        name = _get_line(section, "name")
        if name:
            yield f"## {name}"
        for each in _get_mappings(section, "questions"):
            yield f"{'###' if name else '##'} {_get_line(each, 'question')}"
            yield _get_text(each, "answer")
    yield _get_text(faq, "additionalContent")


def _get_mappings(holder: Mapping[str, Any], key: str) -> list[dict[str, Any]]:
    value = holder.get(key)
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


def _get_line(holder: Mapping[str, Any], key: str) -> str:
    return " ".join(_get_text(holder, key).split())


def _get_text(holder: Mapping[str, Any], key: str) -> str:
    value = holder.get(key)
    return clean_text(value) if isinstance(value, str) else ""
