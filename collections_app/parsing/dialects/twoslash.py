"""Code that Twoslash compiles before a site shows it (Docusaurus, VitePress, Fumadocs, Starlight, Nextra): what only the compiler needs is
left out, as on the page. PURE.

https://twoslash.netlify.app/refs/notations
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from collections_app.text.markdown.code_blocks import ATTRIBUTE, iter_fenced_code

_INFO = re.compile(r"(?<![\w-])twoslash(?![\w-])(?:[ \t]+include[ \t]+(?P<name>[\w-]+))?")
_BEFORE_REMARK = r"[ \t>]*//[ \t]?"
_CUT = re.compile(_BEFORE_REMARK + r"---cut-?(?P<kind>|before|after|start|end)---[ \t]*")
# Of what it is told by `@`, readers see the names of files, and messages that it writes below a line.
_TOLD = re.compile(
    _BEFORE_REMARK + r"@(?!(?:filename|log|warn|error|annotate)\b)(?P<option>[A-Za-z]\w*)(?::[ \t]?(?P<value>\S.*))?"
)
# It is asked for a type (`^?`) or for completions (`^|`).
_QUESTION = re.compile(_BEFORE_REMARK + r"[ \t]*\^[?|][ \t]*")


def drop_hidden_code(content: str) -> str:
    """The text without what such code hides, also blocks that others only take in to compile. No line behind a block moves."""
    if "twoslash" not in content:
        return content
    lines = content.split("\n")
    blocks = (block for block in iter_fenced_code(lines) if block.is_closed)
    found = [(block, info) for block in blocks if (info := _INFO.search(ATTRIBUTE.sub("", block.opening["info"])))]
    shown = [_choose_shown(lines[block.start + 1 : block.end - 1]) for block, _ in found]
    wanted = {name for code in shown for name in _list_taken(code)}
    for (block, info), code in zip(reversed(found), reversed(shown), strict=True):
        size = block.end - block.start
        if info["name"] and info["name"] not in wanted:
            lines[block.start : block.end] = [""] * size
        elif any(line.strip(" \t>") for line in code):
            blanks = [_get_margin(lines[block.start])] * (size - len(code) - 2)
            lines[block.start : block.end] = [lines[block.start], *code, lines[block.end - 1], *blanks]
    return "\n".join(lines)


def _get_margin(line: str) -> str:
    """What stands before a blank line below the block, so that a quote goes on."""
    return ">" * line[: line.index(">") + 1].count(">") if line.lstrip().startswith(">") else ""


def _choose_shown(code: Sequence[str]) -> list[str]:
    shown: list[str] = []
    is_cut = False
    for line in code:
        cut = _CUT.fullmatch(line)
        if cut and cut["kind"] == "after":
            break
        if cut and cut["kind"] in ("", "before"):
            shown = []
        elif cut:
            is_cut = cut["kind"] == "start"
        elif not is_cut and not _is_for_compiler(line):
            shown.append(line)
    return shown


def _is_for_compiler(line: str) -> bool:
    told = _TOLD.fullmatch(line)
    return (told is not None and told["option"] != "include") or _QUESTION.fullmatch(line) is not None


def _list_taken(code: Sequence[str]) -> list[str]:
    """The blocks that a block takes in where readers see it."""
    told = (_TOLD.fullmatch(line) for line in code)
    return [each["value"].strip() for each in told if each and each["option"] == "include" and each["value"]]
