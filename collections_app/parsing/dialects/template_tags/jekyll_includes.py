"""Jekyll includes that are given a text, a picture, a video or a version to show, as in documentation themes:
`{% include note.html content="Mind it." %}`, `{% include image.html file="sail.png" alt="A sail" %}`,
`{% include youtube-player.html id="1uk8" %}`, `{% include version_badge.html version="2.1" %}`. What others show is not known. PURE.
"""

from __future__ import annotations

import re

from collections_app.parsing.dialects.shown_tags import BOXES, is_address, write_kind
from collections_app.parsing.dialects.template_tags.arguments import Arguments, read_arguments
from collections_app.parsing.dialects.template_tags.hugo_embeds import write_embed
from collections_app.parsing.dialects.videos import VIDEOS

_PICTURES = frozenset({"figure", "image", "img", "inline_image", "picture"})
_BADGES = frozenset({"badge", "version"})
_ENDING = ".html"


def is_include(tag: re.Match[str]) -> bool:
    """Whether a tag includes an HTML file."""
    return tag["name"] == "include" and tag[0].startswith("{%") and _ENDING in tag["arguments"]


def is_given_nothing(include: re.Match[str]) -> bool:
    """Whether the tag has only the name of the file."""
    return len(include["arguments"].split()) == 1


def describe_include(tag: re.Match[str]) -> str:
    """What readers see of the include; empty if that is not known, for example because it is in a variable."""
    arguments = read_arguments(tag["arguments"], is_quoted=True)
    name = _read_name(arguments.first)
    if name in _PICTURES:
        words, source = arguments.get("caption", "alt", "title"), arguments.get("url", "src", "file")
        return f"![{words}]({source})" if words and is_address(source) else words
    words_of_name = frozenset(re.split("[-_]", name))
    if not _BADGES.isdisjoint(words_of_name):
        return arguments.get("version")
    if site := next(iter(VIDEOS & words_of_name), ""):
        return write_embed(site, arguments) if arguments.get("id") else ""
    content = arguments.get("content")
    return f"{describe_kind(arguments.first, arguments)}{content}" if content else ""


def describe_kind(file: str, arguments: Arguments) -> str:
    """The kind of a box, followed by a blank, if the included file shows one."""
    name = _read_name(file)
    kind = name if name in BOXES else arguments.get("type", "style").lower()
    return write_kind(kind if kind in BOXES else "")


def _read_name(file: str) -> str:
    return file.rpartition("/")[2].removesuffix(_ENDING).lower()
