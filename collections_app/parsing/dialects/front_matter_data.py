"""Data of front matter that a site's layout shows and the page's text does not mention: the head and the features of a start page of
VitePress or VuePress, questions with their answers, and sentences in lists of a page of a Jekyll collection (`_boats/sail.md`), which its
layout writes as tables. PURE.

https://vitepress.dev/reference/default-theme-home-page
https://jekyllrb.com/docs/collections/
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from collections_app.parsing.dialects.shown_tags import write_title
from collections_app.parsing.json_values import clean_text
from collections_app.parsing.markdown.fences import fence_code

_COLLECTION = re.compile(r"(?:^|/)_(?!(?:data|drafts|includes|layouts|plugins|posts|sass|site)/)\w[\w-]*/")
_HOME = ("heroText", "tagline", "hero", "features")
# About the page or its looks, and no part of its text.
_UNSHOWN = frozenset({
    "actions", "author", "authors", "contributors", "gallery", "head", "header", "image", "images", "meta", "og", "resources", "seo",
    "sidebar", "videos",
})  # fmt: skip
_TITLES = ("title", "name", "tag", "label", "question", "term", "value")
_ADDRESSES = ("link", "url", "href")
_LOOKS = frozenset({"alt", "class", "icon", "id", "image_path", "src", "style"})
# What needs no name before it.
_DESCRIPTIONS = frozenset({"brief", "description", "details", "excerpt", "post", "pre", "summary", "text"})
_QUESTIONS, _ANSWERS = ("question", "q"), ("answer", "a")
_NAMES = {"faq": "FAQ", "faqs": "FAQs"}
_MANY_WORDS = 5
_PROSE = re.compile(r"\S+[ \t\n]+\S+[ \t\n]+\S+")


def add_front_matter_data(content: str, metadata: Mapping[str, Any], path: str) -> str:
    """The text, followed by what its layout shows of the front matter."""
    if metadata.get("layout") == "home" or metadata.get("home") is True:
        shown = {key: metadata[key] for key in _HOME if key in metadata}
        return "\n\n".join(filter(None, [content.rstrip(), *_iter_head(shown)])) + "\n" if shown else content
    lists = {key: value for key, value in metadata.items() if isinstance(value, list)}
    is_in_collection = "_" in path and _COLLECTION.search(path) is not None
    blocks = [
        written
        for key, value in lists.items()
        if key.lower() not in _UNSHOWN and f"page.{key}" not in content
        if (written := _write_answers(key, value, content) or (_write_list(key, value) if is_in_collection else ""))
    ]
    return "\n\n".join([content.rstrip(), *blocks]) + "\n" if blocks else content


def _write_answers(key: str, items: Sequence[Any], content: str) -> str:
    """Questions and answers as sections; empty if the list is none of them, or the text has the first one."""
    pairs = [_read_pair(item) for item in items]
    if not pairs or not all(map(all, pairs)) or pairs[0][0] in content:
        return ""
    return "\n\n".join([_write_heading(key), *(f"### {question}\n\n{answer}" for question, answer in pairs)])


def _read_pair(item: Any) -> tuple[str, str]:
    if not isinstance(item, dict):
        return "", ""
    question = next((text for name in _QUESTIONS if (text := _read(item.get(name)))), "")
    answer = next((told for name in _ANSWERS if isinstance(told := item.get(name), str)), "")
    return question, clean_text(answer).strip()


def _write_list(key: str, items: Sequence[Any]) -> str:
    return f"{_write_heading(key)}\n\n{chr(10).join(_iter_items(items, ''))}" if _has_prose(items) else ""


def _write_heading(key: str) -> str:
    words = key.replace("_", " ").replace("-", " ")
    return f"## {_NAMES.get(words.lower()) or words.capitalize()}"


def _iter_head(shown: Mapping[str, Any]) -> Iterator[str]:
    for value in shown.values():
        if isinstance(value, list):
            yield "\n".join(_iter_items(value, ""))
        elif isinstance(value, dict):
            yield from (text for each in ("text", "tagline") if (text := _read(value.get(each))))
        else:
            yield _read(value)


def _has_prose(value: object) -> bool:
    if isinstance(value, str):
        return _PROSE.search(value) is not None
    values = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return any(map(_has_prose, values))


def _iter_items(items: Sequence[Any], indent: str) -> Iterator[str]:
    for item in items:
        if isinstance(item, dict):
            yield from _iter_item(item, indent)
        elif text := _read(item):
            yield f"{indent}- {text}"


def _iter_item(item: Mapping[str, Any], indent: str) -> Iterator[str]:
    title_key = next((key for key in _TITLES if _read(item.get(key))), "")
    address = next((_read(item[key]) for key in _ADDRESSES if key in item), "")
    passed_over = {title_key, "code", *_ADDRESSES, *_LOOKS, *_UNSHOWN}
    others = {key: value for key, value in item.items() if key.lower() not in passed_over}
    texts = {key: text for key, value in others.items() if (text := _read(value))}
    prose = {key for key, text in texts.items() if key in _DESCRIPTIONS or text.count(" ") >= _MANY_WORDS}
    facts = ", ".join(f"{key}: {text}" for key, text in texts.items() if key not in prose)
    title = write_title(_read(item[title_key]), address).rstrip() if title_key else ""
    told = [title, *(text for key, text in texts.items() if key in prose), f"({facts})" if facts else ""]
    yield f"{indent}- {' '.join(filter(None, told))}".rstrip()
    indent += "  "
    if code := _read_code(item.get("code")):
        yield from ("", *(f"{indent}{each}" for each in fence_code(code).split("\n")), "")
    for value in others.values():
        if isinstance(value, list):
            yield from _iter_items(value, indent)


def _read(value: object) -> str:
    """A text on one line, or a number; empty for anything else, as what is only true or false."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return str(value)
    return " ".join(clean_text(value).split()) if isinstance(value, str) else ""


def _read_code(value: object) -> str:
    lines = value if isinstance(value, list) else [value]
    return "\n".join(line for line in lines if isinstance(line, str)).strip("\n")
