"""Reads the lines that begin boxes and tabs in the Markdown of documentation sites. PURE.

These are containers (`:::tip Title`: Docusaurus, VitePress, MyST, Quarto), admonitions and tabs of MkDocs (`!!! note "Title"`, `===
"Tab"`), directives of MyST (`{note}`), and callouts of GitHub and Obsidian (`[!NOTE]`). A kind that is not in KINDS, and whose last word is
not (`version-note`), makes no box, since only its site knows what it means.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from typing import NamedTuple

from collections_app.text.markdown.code_blocks import FENCE, ends_code

# GitHub's kind of box → the kinds that look like it; those of the empty one look like none of GitHub's.
_KINDS_BY_STYLE = {
    "note": "note info abstract summary tldr seealso todo",
    "tip": "tip hint success check done",
    "important": "important",
    "warning": "warning attention",
    "caution": "caution danger error failure fail missing bug",
    "": "admonition aside callout card cite code-group details dropdown example faq help question quote tab tab-item tab-set tabs",
}
KINDS = {kind: style for style, kinds in _KINDS_BY_STYLE.items() for kind in kinds.split()}
# Kinds that only enclose other boxes and show nothing themselves.
GROUPS = frozenset({"code-group", "tab-set", "tabs"})
# Kinds whose name says nothing to readers.
NAMELESS = frozenset({"admonition", "aside", "callout", "card", "tab", "tab-item"})
NAMES = {"faq": "FAQ", "seealso": "See also", "tldr": "TL;DR"}

# A longer line begins no box, since its title is scanned repeatedly.
MAX_LINE_CHARACTERS = 300
MAX_OPTIONS = 10

# Every line that begins or ends a box or code has at least one of these.
_MAY_BEGIN = re.compile(r":::|!!!|\?\?\?|===|\[!|```|~~~")
# Every text with a box has at least one of these.
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
# Options of directives. Any other word between colons may be an emoji, which is text.
_OPTION = re.compile(r":(?:class: ++(?P<classes>.*)|(?:animate|class|color|icon|name|open|selected|sync):(?: |$))")
_QUOTE_SIGN = re.compile(r"[ \t]*+>[ \t]?+")


class Box(NamedTuple):
    """A box: its kind (one of KINDS, in lower case), and its title as Markdown, None if it has none."""

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
        """What readers see above the box: its title, else the name of its kind; may be empty."""
        if self.title is not None:
            return self.title
        return "" if self.kind in NAMELESS or self.is_group else NAMES.get(self.kind, self.kind.capitalize())


def read_container(text: str) -> tuple[int, Box | None] | None:
    """The number of colons with which a (stripped) line begins a container, and its box, or None if it is of no known kind.

    The container ends at a line with as many colons: see count_closing(). None for lines that begin no container, including lines that also
    end with colons.
    """
    colons = _COLONS.match(text) if len(text) <= MAX_LINE_CHARACTERS else None
    if not colons or not colons[2] or text.endswith(":::"):
        return None
    return len(colons[1]), _read_arguments(colons[2])


def _read_arguments(text: str) -> Box | None:
    """The box that `tip Title`, `tip[Title]{#id}`, `{tip} Title` or `{.callout-tip title="Title"}` describes."""
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
    """The MkDocs box that a line begins; its content is below the line, indented by four columns."""
    if len(text) > MAX_LINE_CHARACTERS:
        return None
    if admonition := _ADMONITION.match(text):
        return _make_box(*admonition.groups())
    tab = _TAB.match(text)
    return _make_box("tab", tab[2]) if tab else None


def read_directive(info: str) -> Box | None:
    """The MyST box that a fence begins; `info` is what follows the fence's backticks or colons."""
    directive = _DIRECTIVE.match(info) if len(info) <= MAX_LINE_CHARACTERS else None
    return _make_box(directive[1], directive[2].strip() or None) if directive else None


def count_options(lines: Sequence[str]) -> int:
    """How many of a directive's first lines are options (`:class: tip`), at most MAX_OPTIONS."""
    return sum(1 for _ in takewhile(_OPTION.match, lines[:MAX_OPTIONS]))


def apply_options(box: Box, options: Iterable[str]) -> Box:
    """The box; an `admonition` gets the kind that its class option names."""
    if box.kind != "admonition":
        return box
    classes = (
        word for line in options if (option := _OPTION.match(line)) for word in (option["classes"] or "").split()
    )
    return box._replace(kind=next(filter(KINDS.get, classes), box.kind))


def read_callout(text: str) -> Box | None:
    """The box that the first line of a quotation (without its sign) begins. The title follows the kind on that line, as in Obsidian."""
    callout = _CALLOUT.match(text) if len(text) <= MAX_LINE_CHARACTERS else None
    return _make_box(callout[1], callout[2].strip() or None) if callout else None


def _make_box(name: str, title: str | None) -> Box | None:
    kind = name.lower()
    if kind in KINDS:
        return Box(kind, title)
    *before, last = kind.split("-")  # a site's own kind: `version-note`
    return Box(last, title or " ".join([*before, last]).capitalize()) if before and KINDS.get(last) else None


def _is_attributes(text: str) -> bool:
    """Whether the text in braces at a line's end is attributes for the site generator: `{#id}`, `{open}`, `{title="Words"}`."""
    return text == "open" or text[:1] in {"#", "."} or "=" in text


def put_in_words(text: str) -> str:
    """The text with words instead of the signs of boxes (`Note:`, `Title:`), and without the signs that end them. Code is unchanged."""
    return "\n".join(map(_Words().put, text.split("\n"))) if any(sign in text for sign in _SIGNS) else text


@dataclass(slots=True)
class _Words:
    """The state while lines are put in words: `code` is the fence that closes the open code, `directives` are the fences that close the
    open
    directives, outermost first. Quotation signs of an open callout are dropped, as are options of a box that has just begun."""

    code: str = ""
    directives: list[str] = field(default_factory=list)
    is_callout: bool = False
    is_beginning: bool = False

    def put(self, line: str) -> str:
        """The next line in words; to be called for each line in order."""
        if not (self.code or self.directives or self.is_callout or self.is_beginning or _MAY_BEGIN.search(line)):
            return line
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
