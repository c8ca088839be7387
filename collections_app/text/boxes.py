"""Boxes and tabs, as sites write them in Markdown: what the line says that begins one. PURE.

Containers (`:::tip Title`: Docusaurus, VitePress, MyST, Quarto), admonitions and tabs of MkDocs (`!!! note "Title"`, `=== "Tab"`),
directives of MyST (`{note}`), callouts of GitHub and Obsidian (`[!NOTE]`). What a kind means that is not in KINDS, only its site
knows: it makes no box.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from typing import NamedTuple

from collections_app.text.code_blocks import FENCE, ends_code

# By the kind of GitHub's that a box looks like; those below the empty one look like none of them.
_KINDS_BY_STYLE = {
    "note": "note info abstract summary tldr seealso todo",
    "tip": "tip hint success check done",
    "important": "important",
    "warning": "warning attention",
    "caution": "caution danger error failure fail missing bug",
    "": "admonition aside callout card cite code-group details dropdown example faq help question quote tab tab-item tab-set tabs",
}
KINDS = {kind: style for style, kinds in _KINDS_BY_STYLE.items() for kind in kinds.split()}
# They stand around others and show nothing themselves.
GROUPS = frozenset({"code-group", "tab-set", "tabs"})
# Of which the kind says nothing to readers.
NAMELESS = frozenset({"admonition", "aside", "callout", "card", "tab", "tab-item"})
NAMES = {"faq": "FAQ", "seealso": "See also", "tldr": "TL;DR"}

# A line that is longer begins none: its title is read again and again.
MAX_LINE_CHARACTERS = 300
MAX_OPTIONS = 10

# One of them is in every text that has a box.
_SIGNS = (":::", "!!! ", "???", "===", "[!", "`{", "~{")
_COLONS = re.compile(r"(:{3,20}+) *+(.*)")
_NAME = re.compile(
    r"(?:\{ *+\.?(?:callout-)?(?P<braced>[a-zA-Z][a-zA-Z-]*+)(?P<attributes>[^{}]*+)\}|(?P<bare>[a-zA-Z][a-zA-Z-]*+)(?![^\s\[{]))"
    r" *+(?P<title>.*)"
)
_DIRECTIVE = re.compile(r"\{([a-zA-Z][a-zA-Z-]*+)\} *+(.*)")
_ADMONITION = re.compile(r'(?:!!!|\?\?\?\+?) *+([\w-]++)(?: ++[\w-]++)*+(?: ++"(.*)")? *+$')
_TAB = re.compile(r"""===[!+]* *+(["'])(.+)\1$""")
_CALLOUT = re.compile(r"\[!([\w-]++)(?:\|[^\]]*+)?\](?![(\[:])[-+]?(.*)")
_TITLE = re.compile(r"""\btitle=(["'])(?P<title>.*?)\1""")
# Of directives; any other word between colons may be an emoji, which is text.
_OPTION = re.compile(r":(?:class: ++(?P<classes>.*)|(?:animate|class|color|icon|name|open|selected|sync):(?: |$))")
_QUOTE_SIGN = re.compile(r"[ \t]*+>[ \t]?+")


class Box(NamedTuple):
    """Its kind in small letters, one of KINDS; its title as Markdown, None where it is given none."""

    kind: str
    title: str | None = None

    @property
    def style(self) -> str:
        return KINDS[self.kind]

    @property
    def is_group(self) -> bool:
        return self.kind in GROUPS and not self.title

    @property
    def heading(self) -> str:
        """What readers see above it: its title, else the name of its kind. It may be empty."""
        if self.title is not None:
            return self.title
        return "" if self.kind in NAMELESS or self.is_group else NAMES.get(self.kind, self.kind.capitalize())


def read_container(text: str) -> tuple[int, Box | None] | None:
    """How many colons a line without blanks around it begins a container with, and the box it is, if it is one. Such a container ends at a
    line of as many: see count_closing. None for lines that begin none, as those do not that end with colons too."""
    colons = _COLONS.match(text) if len(text) <= MAX_LINE_CHARACTERS else None
    if not colons or not colons[2] or text.endswith(":::"):
        return None
    return len(colons[1]), _read_arguments(colons[2])


def _read_arguments(text: str) -> Box | None:
    """Of `tip Title`, `tip[Title]{#id}`, `{tip} Title` and `{.callout-tip title="Title"}`."""
    name = _NAME.match(text)
    if not name:
        return None
    attributes, title = name["attributes"] or "", name["title"]
    if title.endswith("}"):
        words, _, last = title[:-1].rpartition("{")
        if _is_attributes(last):
            attributes, title = f"{attributes} {last}", words.rstrip()
    if title.startswith("[") and title.endswith("]"):
        title = title[1:-1]
    given = _TITLE.search(attributes)
    return _make_box(name["braced"] or name["bare"], title or (given and given["title"]) or None)


def count_closing(text: str) -> int:
    """The colons of a line that ends a container; 0 for any other."""
    colons = _COLONS.match(text)
    return len(colons[1]) if colons and not colons[2] else 0


def read_indented(text: str) -> Box | None:
    """Of MkDocs: what is in the box stands below the line, four columns further in."""
    if len(text) > MAX_LINE_CHARACTERS:
        return None
    if admonition := _ADMONITION.match(text):
        return _make_box(*admonition.groups())
    tab = _TAB.match(text)
    return _make_box("tab", tab[2]) if tab else None


def read_directive(info: str) -> Box | None:
    """Of MyST, by what stands behind the backticks or colons of its fence."""
    directive = _DIRECTIVE.match(info) if len(info) <= MAX_LINE_CHARACTERS else None
    return _make_box(directive[1], directive[2].strip() or None) if directive else None


def count_options(lines: Sequence[str]) -> int:
    """How many lines at the beginning of what is in a directive are options of it (`:class: tip`), at most MAX_OPTIONS."""
    return sum(1 for _ in takewhile(_OPTION.match, lines[:MAX_OPTIONS]))


def apply_options(box: Box, options: Iterable[str]) -> Box:
    """An `admonition` is of the kind that its class names."""
    if box.kind != "admonition":
        return box
    classes = (
        word for line in options if (option := _OPTION.match(line)) for word in (option["classes"] or "").split()
    )
    return box._replace(kind=next(filter(KINDS.get, classes), box.kind))


def read_callout(text: str) -> Box | None:
    """By the first line of a quotation, without its sign. The title is what follows the kind on that line, as in Obsidian."""
    callout = _CALLOUT.match(text) if len(text) <= MAX_LINE_CHARACTERS else None
    return _make_box(callout[1], callout[2].strip() or None) if callout else None


def _make_box(name: str, title: str | None) -> Box | None:
    kind = name.lower()
    return Box(kind, title) if kind in KINDS else None


def _is_attributes(text: str) -> bool:
    """Whether what stands in braces at a line's end is for the site's program: `{#id}`, `{open}`, `{title="Words"}`."""
    return text == "open" or text[:1] in {"#", "."} or "=" in text


def put_in_words(text: str) -> str:
    """With words for the signs of boxes, as in a line of prose (`Note:`, `Title:`), and without those that only end one. What code shows
    stays."""
    return "\n".join(map(_Words().put, text.split("\n"))) if any(sign in text for sign in _SIGNS) else text


@dataclass(slots=True)
class _Words:
    """`code` is the fence that ends the code that is open, `directives` are those that end directives, from the outside in; of the callout
    that is open quotation signs go, and options of a box that has just begun."""

    code: str = ""
    directives: list[str] = field(default_factory=list)
    is_callout: bool = False
    is_beginning: bool = False

    def put(self, line: str) -> str:
        """A line after those before it."""
        inner = line.strip(" \t>\r")
        is_quoted = line.lstrip(" \t").startswith(">")
        self.is_callout = self.is_callout and is_quoted
        self.is_beginning = self.is_beginning and _OPTION.match(inner) is not None
        if self.code:
            self.code = "" if ends_code(line, self.code) else self.code
            return line
        if self.directives and ends_code(line, self.directives[-1]):
            self.directives.pop()
            return ""
        if self.is_beginning or count_closing(inner):
            return ""
        if opening := FENCE.match(line.rstrip("\r")):
            return self.open_fence(line, opening["fence"], opening["info"].strip())
        if box := read_callout(inner) if is_quoted and inner.startswith("[") else _read_line(inner):
            self.is_callout, self.is_beginning = inner.startswith("["), True
            return _say(box)
        return _QUOTE_SIGN.sub("", line, count=1) if self.is_callout else line

    def open_fence(self, line: str, fence: str, info: str) -> str:
        box = read_directive(info)
        if box is None:
            self.code = fence
            return line
        self.directives.append(fence)
        self.is_beginning = True
        return _say(box)


def _read_line(text: str) -> Box | None:
    container = read_container(text)
    return container[1] if container else read_indented(text)


def _say(box: Box) -> str:
    heading = box.heading
    return f"{heading}:" if heading and heading[-1] not in ".:!?…" else heading
