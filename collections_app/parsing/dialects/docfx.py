"""Page layout of DocFX and Microsoft Learn in Markdown: tabs, columns, pivots, versions, pictures, videos, API names. PURE.

https://learn.microsoft.com/en-us/contribute/content/markdown-reference
"""

from __future__ import annotations

import re
from urllib.parse import unquote

from collections_app.parsing.documents import RawDocument
from collections_app.parsing.headings import LineKind, iter_line_kinds
from collections_app.parsing.safety.places import replace_outside_spans

_MAX_LINE_CHARACTERS = 5000
_CONTENTS_NAME = re.compile(r"(?:.*/)?toc\.md", re.IGNORECASE | re.DOTALL)
_ENTRY = re.compile(rb"\s*+(?:#{1,6}[ \t][^\n]*+)?")

_BRACKETED = re.compile(r"\[!(?:div|video)\b", re.IGNORECASE)
# Not the boxes of other generators (`:::note`).
_COLONS = re.compile(r":::[ \t]*+(?:column|image|moniker|row|zone)", re.IGNORECASE)

_PREFIX = r"(?P<prefix>[ \t>]*+)"
_TAB = re.compile(_PREFIX + r"#{1,6}[ \t]++\[(?P<title>[^\[\]]++)\]\(#tab/[^()\s]++\)[ \t]*$")
_END_OF_TABS = re.compile(r"[ \t>]*+(?:-{3,}|\*{3,})[ \t]*$")
_LAYOUT = re.compile(
    _PREFIX
    + r"(?::::[ \t]*+(?:(?:row|column)(?:-end)?\b[^:]*+:::|(?:zone|moniker|image)-end[ \t]*+(?::::)?)|\[!div\b[^\]]*+\])[ \t]*$",
    re.IGNORECASE,
)
_ZONE = re.compile(
    _PREFIX + r":::[ \t]*+(?:zone|moniker)[ \t]++(?P<kind>\w+)=[\"'](?P<value>[^\"'\n]*+)[\"'][^:\n]*+(?::::)?[ \t]*$"
)
_IMAGE = re.compile(r":::[ \t]*+image[ \t](?P<attributes>.*?):::")
_ATTRIBUTE = re.compile(r"\b([\w-]+)=\"([^\"]*)\"")
_VIDEO = re.compile(r"\[!video[ \t]++(?P<address>[^\s\[\]]++)\]", re.IGNORECASE)
# `<xref:System.Console.WriteLine%2A?displayProperty=nameWithType>`
_NAME = re.compile(r"<xref:(?P<name>[^<>\s?#/]++)(?:\?[^<>\s]*+)?>")
_LINK_TO_NAME = re.compile(r"\[(?P<words>[^\[\]]++)\]\(xref:[^()\s]++\)")
# The number of type parameters of a generic, and the asterisk for all overloads.
_ARITY = re.compile(r"`+\d+|\*$")


def is_contents_name(path: str) -> bool:
    """Whether a file is called like a table of contents of DocFX."""
    return _CONTENTS_NAME.fullmatch(path) is not None


def is_contents(raw: RawDocument) -> bool:
    """Whether it is such a table: nothing but headings, some of which are links."""
    return is_contents_name(raw.path) and b"](" in raw.content and all(map(_ENTRY.fullmatch, raw.content.splitlines()))


def write_docfx_signs(content: str) -> str:
    """The text with DocFX's layout as Markdown; no line moves. Tabs, pivots and versions come below their names in bold."""
    if not _may_have_signs(content):
        return content
    lines = content.split("\n")
    in_tabs = False
    for number, kind in enumerate(list(iter_line_kinds(lines))):
        line = lines[number]
        may_change = kind is LineKind.MARKDOWN and len(line) <= _MAX_LINE_CHARACTERS
        if not may_change or not (in_tabs or _may_have_signs(line)):
            continue
        if tab := _TAB.match(line):
            lines[number], in_tabs = f"{tab['prefix']}**{tab['title'].strip()}**", True
        elif in_tabs and _END_OF_TABS.match(line):
            lines[number], in_tabs = "", False
        elif layout := _LAYOUT.match(line):
            lines[number] = layout["prefix"].rstrip()
        elif zone := _ZONE.match(line):
            lines[number] = zone["prefix"] + _name_zone(zone["kind"].lower(), zone["value"])
        else:
            lines[number] = _write_within(line)
    return "\n".join(lines)


def _may_have_signs(text: str) -> bool:
    if "(xref:" in text or "<xref:" in text or "(#tab/" in text:
        return True
    return (":::" in text and _COLONS.search(text) is not None) or _BRACKETED.search(text) is not None


def _name_zone(kind: str, value: str) -> str:
    """What a zone or a moniker is for: a pivot or a version; empty for other kinds, such as a way to show the page."""
    match kind:
        case "pivot":
            return f"**{value}**"
        case "range":
            return f"**Version {value}**"
    return ""


def _write_within(line: str) -> str:
    for pattern, write in _WITHIN_LINES:
        line = replace_outside_spans(pattern, write, line)
    return line


def _write_image(found: re.Match[str]) -> str:
    attributes = dict(_ATTRIBUTE.findall(found["attributes"]))
    words, source = attributes.get("alt-text", "").strip(), attributes.get("source", "")
    return f"![{words}]({source})" if words and source else words


def _write_video(found: re.Match[str]) -> str:
    return f"[Video]({found['address']})"


def _write_name(found: re.Match[str]) -> str:
    return f"`{_ARITY.sub('', unquote(found['name']))}`"


def _write_words(found: re.Match[str]) -> str:
    """The words of a link to an API name: only a build knows its target."""
    return str(found["words"])


_WITHIN_LINES = ((_IMAGE, _write_image), (_VIDEO, _write_video), (_NAME, _write_name), (_LINK_TO_NAME, _write_words))
