"""Attribute lists of Markdown blocks, links and pictures (`{: .note }`, `{style="warning"}`, `{ width="300" }`), as kramdown,
Python-Markdown and Writerside write them. Readers do not see them, except for the kind of a box, which becomes words. PURE.

headings/ids.py handles those of headings, except in quotes, where headings make no sections.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from collections_app.parsing.dialects.shown_tags import write_kind
from collections_app.parsing.headings import LineKind, iter_line_kinds
from collections_app.parsing.headings.text import ATTRIBUTE_LIST
from collections_app.parsing.safety.places import replace_outside_code, replace_outside_spans

_MAX_LINE_CHARACTERS = 1000
_MAX_BOX_LINES = 50
_KINDS = frozenset({"caution", "danger", "important", "info", "note", "tip", "warning"})

_LINE = re.compile(rf"[ \t>]*+(?P<list>{ATTRIBUTE_LIST})[ \t]*$")
# Lists with a colon, as kramdown and Python-Markdown write them, are never text, so they may also stand above their block. A class or an id
# without a colon may be a name in braces.
_IS_SURE = re.compile(r"\{:")
_IS_NAMED_BY_KRAMDOWN = re.compile(r"\{:[ \t]*+[.#]?[A-Za-z]")
_IS_NAMED = re.compile(r"\{[ \t]*[.#][a-z]")
# Nothing else than such a list, wherever it stands.
_IS_CERTAIN = re.compile(r"\{:[ \t]*+[.#][A-Za-z]")
_CLOSING_TAG_AT_END = re.compile(r"</[a-z][\w-]*>[ \t]*$")
# What kramdown takes as it is.
_NO_MARKDOWN = re.compile(r"\{::nomarkdown[ \t]*+/?\}|\{:/(?:nomarkdown)?\}")
# An id on a line of its own is never text either.
_ID = re.compile(r"\{#[a-z][\w-]*\}")
# Without a colon, only these keys count below a paragraph: a line such as `{app="mysql"}` may be the last one of the paragraph.
_KNOWN_KEY = re.compile(
    r"\{[ \t]*(?:style|width|height|class|id|target|align|rel|type|run|columns|collapsible|default-state|initial-collapse-state|"
    r"collapsed-title|kotlin-[\w-]+|validate|noinject|prompt|lang|theme|border-effect|thumbnail|preview-src|interpolate-variables|"
    r"ignore-vars|title|caption|summary|animate|data-[\w-]+|fig-[\w-]+|tbl-[\w-]+)="
)
_KIND = re.compile(r"(?:\.|\b(?:class|style)=[\"']?)([a-z]+)(?=[\s\"'}])")
# At a link or a picture, where `width=300` needs no quotes.
_VALUE = r"(?:\"[^\"{}]*\"|'[^'{}]*'|[^\s{}\"'=]+)"
_MARK = rf"(?:[.#][\w:-]+|[\w:-]+={_VALUE})"
_AT_LINK = re.compile(rf"(?<=[)\]>*_`])(?:\{{:?[ \t]*+{_MARK}(?:[ \t]++{_MARK})*+[ \t]*+\}})++")
# A link target of MkDocs' autorefs.
_ANCHOR = re.compile(r"\[\]\(\)\{:?[ \t]*+#([\w.:-]+)[ \t]*+\}")
# A picture described as in Quarto: `![](a.png){fig-alt="A sail"}`.
_DESCRIBED = re.compile(
    r"!\[(?P<words>[^\[\]]*+)\]\((?P<source>[^()\"]*+)\)(?P<list>\{[^{}]*?(?<=[\s{:])(?:fig-)?alt="
    r"(?:\"(?P<double>[^\"{}]+)\"|'(?P<single>[^'{}]+)')[^{}]*\})"
)
# The title of an ExDoc box: `> #### Mind it {: .warning}`.
_QUOTED_HEADING = re.compile(rf"(?P<heading>[ \t]*+>[ \t>]*+#{{1,6}}[ \t].*?)[ \t]*{ATTRIBUTE_LIST}[ \t]*$")
# Here kramdown puts a table of contents in place of the list above.
_CONTENTS = re.compile(r"[ \t>]*+\{:[ \t]*+toc(?:[ \t][^{}\n]*)?\}[ \t]*$")
_CONTENTS_HEADING = re.compile(
    r"[ \t]*#{2,6}[ \t]+(?:(?:table of )?contents|toc|on this page|inhalt(?:sverzeichnis)?|sommaire|table des matières|índice|contenido"
    r"|sumário|indice|目录|目錄|目次):?[ \t]*(?:\{[^{}]*\})?[ \t]*$",
    re.IGNORECASE,
)
_MAX_LINES_TO_HEADING = 4  # blank ones, and its attributes
_ITEM = re.compile(r"[ \t>]*+(?:[-*+]|\d{1,9}[.)])[ \t]")
# A faster check, made first.
_MAY_BEGIN = re.compile(r"\{:?[ \t]*+(?:[.#-]|toc\b|[\w:-]++=)")
_MAY_HAVE = re.compile(rf"^{_LINE.pattern}|^{_CONTENTS.pattern}|{_AT_LINK.pattern}|^[ \t]*+>[ \t>]*+#[^\n]*\}}[ \t]*$")
_HEADING = re.compile(r"[ \t]*#{1,6}[ \t]")
_TEXT = re.compile(r"(?P<signs>[ \t>]*+)(?=[\w\[*_`\"'(])(?![-*+][ \t]|\d{1,9}[.)][ \t]|`{3})")
_PARAGRAPH = re.compile(r"[ \t]*[\w\[*_(\"']")
_SIGNS_ALONE = re.compile(r"[ \t>]*+$")


def drop_block_attributes(content: str) -> str:
    """The text without attribute lists, with the kind of a box as a word; no line moves."""
    if "{::nomarkdown" in content:
        content = replace_outside_code(_NO_MARKDOWN, lambda _: "", content)
    if not _MAY_BEGIN.search(content):
        return content
    lines = content.split("\n")
    changing = [number for number, line in enumerate(lines) if "{" in line and _may_change(line)]
    kinds = list(iter_line_kinds(lines[: changing[-1] + 1])) if changing else []
    for number in changing:
        if kinds[number] is LineKind.HTML:
            _drop_in_html(lines, number)
        elif kinds[number] is LineKind.MARKDOWN:
            if _CONTENTS.match(lines[number]):
                _drop_contents(lines, number)
            elif found := _find_of_block(lines, number):
                lines[number] = ""
                _write_kind(lines, kinds, number, found)
            else:
                quoted = _QUOTED_HEADING.match(lines[number])
                lines[number] = quoted["heading"] if quoted else _drop_at_links(lines[number])
    return "\n".join(lines)


def _may_change(line: str) -> bool:
    return len(line) <= _MAX_LINE_CHARACTERS and _MAY_HAVE.search(line) is not None


def _drop_contents(lines: list[str], number: int) -> None:
    """Drop also the items above the line, up to a blank line or a heading: the table of contents replaces them. What is called so above
    them would be a section with nothing in it, or with the text behind."""
    first = number
    while first and lines[first - 1].strip() and not _HEADING.match(lines[first - 1]):
        first -= 1
    items = (item for item in range(first, number) if _ITEM.match(lines[item]))
    start = next(items, number)
    for above in range(start - 1, max(start - 2 - _MAX_LINES_TO_HEADING, -1), -1):
        if _CONTENTS_HEADING.match(lines[above]):
            start = above
        if lines[above].strip() and not _LINE.match(lines[above]):
            break
    lines[start : number + 1] = [""] * (number + 1 - start)


def _drop_in_html(lines: list[str], number: int) -> None:
    """Drop the list of an element that ends on the line above, and contents of a page that are folded away."""
    found = _LINE.match(lines[number])
    if _CONTENTS.match(lines[number]):
        _drop_contents(lines, number)
    elif found and number and _IS_CERTAIN.match(found["list"]) and _CLOSING_TAG_AT_END.search(lines[number - 1]):
        lines[number] = ""


def _find_of_block(lines: Sequence[str], number: int) -> str:
    """The attribute list that this line is, if it belongs to a block of text; else empty."""
    found = _LINE.match(lines[number])
    if not found:
        return ""
    above = lines[number - 1] if number else ""
    below = lines[number + 1] if number + 1 < len(lines) else ""
    if _HEADING.match(above):
        return ""
    attributes = found["list"]
    if _IS_SURE.match(attributes):
        return attributes if above.strip() or below.strip() or _IS_CERTAIN.match(attributes) else ""
    if not above.strip():
        return attributes if (_IS_NAMED.match(attributes) and below.strip()) or _ID.fullmatch(attributes) else ""
    is_known = _IS_NAMED.match(attributes) or _KNOWN_KEY.match(attributes) or not _PARAGRAPH.match(above)
    return attributes if is_known and not _TEXT.match(below) else ""


def _write_kind(lines: list[str], kinds: Sequence[LineKind], number: int, attributes: str) -> None:
    """Write the kind of a box before its text: in the first line of the block above, or in this line if the block is below. Lists and code
    get none.
    """
    words = next((write_kind(each) for each in _KIND.findall(attributes) if each in _KINDS), "")
    if not words:
        return
    first = number
    while first and number - first < _MAX_BOX_LINES and _is_text(lines[first - 1], kinds[first - 1]):
        first -= 1
    while first < number and _SIGNS_ALONE.match(lines[first]):
        first += 1
    if first == number:
        is_above_block = not (number and lines[number - 1].strip()) and any(
            map(str.strip, lines[number + 1 : number + 2])
        )
        lines[number] = words.rstrip() if is_above_block else ""
    elif text := _TEXT.match(lines[first]):
        lines[first] = f"{text['signs']}{words}{lines[first][text.end() :]}"


def _is_text(line: str, kind: LineKind) -> bool:
    return kind is LineKind.MARKDOWN and bool(line.strip()) and not _HEADING.match(line)


def _drop_at_links(line: str) -> str:
    if not _AT_LINK.search(line):
        return line
    anchored = replace_outside_spans(_ANCHOR, lambda found: f'<a id="{found[1]}"></a>', line)
    described = replace_outside_spans(_DESCRIBED, _describe, anchored)
    return replace_outside_spans(_AT_LINK, lambda found: "" if _ends_link(found) else found[0], described)


def _describe(found: re.Match[str]) -> str:
    """A picture with the description from its attributes: as its words, or as its title if it has words."""
    words = found["double"] or found["single"]
    if not found["words"]:
        return f"![{words}]({found['source']}){found['list']}"
    has_title = '"' in words or " " in found["source"].strip()
    return found[0] if has_title else f'![{found["words"]}]({found["source"]} "{words}"){found["list"]}'


def _ends_link(found: re.Match[str]) -> bool:
    """Whether the list follows a link, a picture or text in brackets, and not a call, an index or a formula. After emphasis, code and
    elements only lists count that begin as kramdown's do.
    """
    line, end = found.string, found.start() - 1
    if line[end] in ">*_`":
        return _IS_NAMED_BY_KRAMDOWN.match(found[0]) is not None
    if line[end] == ")":
        opening = line.rfind("(", 0, end)
        return opening > 0 and line[opening - 1] == "]"
    opening = line.rfind("[", 0, end)
    before = line[opening - 1] if opening > 0 else " "
    return opening >= 0 and not (before.isalnum() or before in "_)]") and found[0][1:2] in ".#:"
