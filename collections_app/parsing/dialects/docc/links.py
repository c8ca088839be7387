"""Links of DocC to other pages: `<doc:ControlFlow#Early-Exit>`, `[words](doc:ControlFlow)`. PURE.

https://www.swift.org/documentation/docc/linking-to-symbols-and-other-content
"""

from __future__ import annotations

import re
from collections.abc import Callable
from urllib.parse import unquote

from collections_app.naming.slugs import make_slug
from collections_app.parsing.html.escaping import make_code_span, make_link
from collections_app.parsing.references.names import Names
from collections_app.parsing.safety.places import replace_outside_code
from collections_app.parsing.wikilinks import make_address

_NAME = r"doc:(?P<name>[^\s<>#\[\]|()]*+(?:\([^\s<>#\[\]|()]*+\)[\w-]*+)?+)(?:#(?P<heading>[^\s<>\[\]|#()]++))?"
_LINK = re.compile(rf"<{_NAME}>")
_LINK_WITH_WORDS = re.compile(rf"(?<!!)\[(?P<words>(?:[^\[\]`]|`[^`]*+`)++)\]\({_NAME}\)")
_BEGINS_WORD = re.compile(r"(?<=[a-z])(?=[A-Z])")
_BRACKET = re.compile(r"(?<!\\)[\[\]]")
_SYMBOL = re.compile(r"/\w++$|[^\w/-]")


def has_links(content: bytes) -> bool:
    return b"<doc:" in content or b"](doc:" in content


def write_links(text: str, page: str, find: Callable[[str], str | None], read_names: Callable[[str], Names]) -> str:
    """The text of the page at this path with its links to existing pages as Markdown links. Those without words have the title of the page
    or of the heading. `find` returns the path of the page with a name, `read_names` what the page at a path is called.
    """

    def write(found: re.Match[str]) -> str:
        name, heading = found["name"], _read_heading(found)
        path = find(name) if name else page
        if path is None or not (name or heading):
            return found[0]
        known = read_names(path)
        slug = make_slug(heading) if heading else ""
        label = next((label for label in known.headings if make_slug(label.title) == slug), None) if slug else None
        title = (label.title if label else heading) if slug else known.title
        fragment = label.fragment if label else slug
        words = found.groupdict().get("words") or _BRACKET.sub(r"\\\g<0>", title or _write_words(found))
        return make_link(words, make_address(path, page, fragment))

    return _replace(write, text)


def write_words_of_links(content: str) -> str:
    """The text with its links replaced by their words: where they lead is not known."""
    if "<doc:" not in content and "](doc:" not in content:
        return content
    return _replace(lambda found: found.groupdict().get("words") or _write_words(found), content)


def _replace(write: Callable[[re.Match[str]], str], text: str) -> str:
    for pattern, sign in ((_LINK_WITH_WORDS, "](doc:"), (_LINK, "<doc:")):
        text = replace_outside_code(pattern, write, text) if sign in text else text
    return text


def _read_heading(found: re.Match[str]) -> str:
    return unquote(found["heading"] or "").replace("-", " ")


def _write_words(found: re.Match[str]) -> str:
    """The heading, or the name of the page, in words; the name of a symbol in code."""
    if found["heading"]:
        return _read_heading(found)
    name = unquote(found["name"]).rstrip("/")
    last = name.rpartition("/")[2]
    if _SYMBOL.search(name):
        return make_code_span(last) if last else found[0]
    return _BEGINS_WORD.sub(" ", last).replace("-", " ") or found[0]
