"""Elixir's ExDoc: links to code (`` [`put/4`](`Boat.Sail.put/4`) ``), whose addresses only a build knows, and kinds before names of code
(`` `c:Boat.Sail.set/2` ``, `` `t:Boat.t/0` ``). PURE.

https://hexdocs.pm/ex_doc/readme.html#auto-linking
"""

from __future__ import annotations

import re

from collections_app.parsing.headings import LineKind, iter_line_kinds
from collections_app.parsing.safety.places import find_code_spans
from collections_app.text.spans import replace_spans

_SIGNS = ("](`", "`c:")
_NAME = r"[a-z_]\w*[!?]?/\d{1,3}"
_MODULE = r"(?:[A-Z]\w*\.){1,20}"
# `Boat.Sail`, `Boat.Sail.set/2`, `m:Boat.Sail#sails`, `mix boats.build`, `:ets.new/2`, `set/2`
_TARGET = rf"(?:[ctm]:)?(?:[A-Z]\w*(?:\.[A-Z]\w*){{0,20}}(?:\.{_NAME})?(?:\#[\w-]+)?|:\w+(?:\.{_NAME})?|{_NAME})|mix [a-z][\w.]*"
_LINK = re.compile(rf"(?<!!)\[(?P<words>[^\[\]]+)\]\((?P<code>`(?P<target>{_TARGET})`)\)")
_KIND = re.compile(rf"(?P<code>`[ct]:(?P<name>{_MODULE}{_NAME})`)")
_KIND_OF_OWN = re.compile(rf"(?P<code>`[ct]:(?P<name>{_NAME})`)")
_LAST_NAME = re.compile(r"[\w!?]+(?=/\d+$)|\w+$")
_MAX_LINE_CHARACTERS = 5_000


def write_exdoc_names(content: str) -> str:
    """The text with the words of such links, and with names as they are called; no line moves. Types, and names without a module, lose
    their kind on pages that have links to code or names of callbacks.
    """
    if not any(sign in content for sign in _SIGNS) or not (_LINK.search(content) or _KIND.search(content)):
        return content
    lines = content.split("\n")
    for number, kind in enumerate(list(iter_line_kinds(lines))):
        if kind is LineKind.MARKDOWN and "`" in lines[number] and len(lines[number]) <= _MAX_LINE_CHARACTERS:
            lines[number] = _write_names(lines[number])
    return "\n".join(lines)


def _write_names(line: str) -> str:
    """The line with each match replaced whose code is a whole code span."""
    for pattern, write in ((_LINK, _write_link), (_KIND, _write_name), (_KIND_OF_OWN, _write_name)):
        spans = find_code_spans(line)
        found = (each for each in pattern.finditer(line) if each.span("code") in spans)
        line = replace_spans(line, [(*each.span(), write(each)) for each in found])
    return line


def _write_link(found: re.Match[str]) -> str:
    """The words of a link, with the name behind them if they are other words. A type is said by the words alone."""
    words, target = found["words"], found["target"]
    last = _LAST_NAME.search(target)
    if target.startswith("t:") or (last and last[0] in words):
        return words
    return f"{words} (`{target.removeprefix('c:').removeprefix('m:')}`)"


def _write_name(found: re.Match[str]) -> str:
    return f"`{found['name']}`"
