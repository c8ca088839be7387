"""Directives of MyST, which are fences with a name (```` ```{note} ````, `:::{note}`), line by line.

What holds Markdown is opened, so that its text, links and code are such: boxes and tabs are containers of colons, figures pictures with
their text below, cards bold titles. Headings in them are bold and make no sections, but for those between colons, which are text to
CommonMark. Code, formulas, tables and lists of pages are what Markdown has for them.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, repeat
from typing import NamedTuple

from collections_app.parsing.html.escaping import make_fence
from collections_app.parsing.includes.lines import split_options
from collections_app.parsing.references.targets import Kind, Targets
from collections_app.parsing.shown_tags import is_address
from collections_app.parsing.sphinx_markup import VERSION_CHANGES, describe_change, split_title

_MAX_LINE_CHARACTERS = 1000
_MAX_COLUMNS = 50
_MAX_DEPTH = 20
_FENCE = re.compile(
    r"(?P<prefix>[ \t>]*+(?:(?:[-*+]|\d{1,9}[.)])[ \t]++)?)(?P<fence>`{3,}+|~{3,}+|:{3,}+)(?P<info>[^`]*+)$"
)
_DIRECTIVE = re.compile(r"[ \t]*+\{(?P<name>[A-Za-z][\w:.+-]*)\}[ \t]*(?P<argument>.*)$")
_HEADING = re.compile(r"(?P<prefix>[ \t>]*+)#{1,6}[ \t]++(?P<title>[^*]*[^*\s#])[ \t#]*$")
_COMMENT = re.compile(r" {0,3}%(?![%{])|\+\+\+(?:[ \t]*$|[ \t]*\{)")
_ROW = re.compile(r"\s*[*-][ \t]+[*-](?:[ \t]+(?P<cell>.*)|[ \t]*)$")
_CELL = re.compile(r"\s*[*-](?:[ \t]+(?P<cell>.*)|[ \t]*)$")

# fmt: off
_BOXES = frozenset([
    "admonition", "attention", "caution", "danger", "dropdown", "error", "hint", "important", "note", "seealso", "tip", "todo", "topic",
    "tab-item", "tab-set", "warning",
])
_CARDS = frozenset(["card", "grid-item-card", "link-card", "page-card", "sidebar"])
_OPENED = frozenset([
    "aside", "card-group", "div", "epigraph", "exercise", "figure-md", "glossary", "grid", "grid-item", "margin", "proof", "solution",
    "step", "stepper", "table",
])
# fmt: on
_PICTURES = frozenset(["figure", "image"])
_CODE = frozenset(["code", "code-block", "code-cell", "parsed-literal", "prompt", "sourcecode", "mermaid", "graphviz"])
_UNTOLD = frozenset(["contents", "index", "meta", "tableofcontents", "toc", "bibliography"])
DIRECTIVES = frozenset(
    {
        *_BOXES,
        *_CARDS,
        *_OPENED,
        *_PICTURES,
        *_CODE,
        *_UNTOLD,
        *VERSION_CHANGES,
        "csv-table",
        "list-table",
        "math",
        "toctree",
    }
)
"""Those that are known, by which a text is told to be MyST."""
_WITH_MARKDOWN = frozenset({*_BOXES, *_CARDS, *_OPENED, *_PICTURES, *VERSION_CHANGES})


class _Fence(NamedTuple):
    prefix: str
    fence: str
    name: str
    argument: str


@dataclass(frozen=True, slots=True)
class _Open:
    """A directive whose content is Markdown: `closing` is written where it ends."""

    fence: str
    closing: str


def write_directives(content: str, targets: Targets) -> str:
    """The text with Markdown in their places, its lines on theirs."""
    return "\n".join(_Writer(content.split("\n"), targets).write())


@dataclass(slots=True)
class _Writer:
    lines: list[str]
    targets: Targets
    written: list[str] = field(default_factory=list)
    open: list[_Open] = field(default_factory=list)

    def write(self) -> list[str]:
        number = 0
        while number < len(self.lines):
            number = self._write_line(number)
        return self.written

    def _write_line(self, number: int) -> int:
        """The number of the line that comes next."""
        line = self.lines[number]
        found = _read_fence(line)
        if found is None:
            self.written.append("" if _COMMENT.match(line) else self._write_text(line))
        elif self.open and not found.name and not found.argument and _closes(found.fence, self.open[-1].fence):
            ended = self.open.pop()
            self.written.append(f"{found.prefix}{ended.closing}".rstrip())
        elif found.name in DIRECTIVES:
            return self._write_directive(number, found)
        elif found.fence.startswith(":"):
            if found.name or found.argument:
                self.open.append(_Open(found.fence, found.fence))
            self.written.append(line)
        else:
            end = self._find_end(number, found.fence)
            self.written += self.lines[number : end + 1]
            return end + 1
        return number + 1

    def _write_text(self, line: str) -> str:
        heading = _HEADING.match(line) if any(each.fence[0] != ":" for each in self.open[-_MAX_DEPTH:]) else None
        return f"{heading['prefix']}**{heading['title']}**" if heading else line

    def _write_directive(self, number: int, found: _Fence) -> int:
        options, first = _read_options(self.lines, number + 1)
        if found.name in _WITH_MARKDOWN:
            self._open(found, options, first - number)
            return first
        end = self._find_end(number, found.fence)
        taken = min(end + 1, len(self.lines)) - number
        shown = self._write_shown(found, options, self.lines[first:end])
        if len(shown) > taken:
            shown = [line for line in shown if line.strip(" \t>")]
        if len(shown) > taken:  # a table with more lines than it was written in
            shown = self.lines[number : number + taken]
        # Code stays where it was, below its options.
        before = min(taken - len(shown), first - number - 1) if found.name in _CODE else 0
        self.written += [*[""] * before, *shown, *[""] * (taken - len(shown) - before)]
        return number + taken

    def _open(self, found: _Fence, options: Mapping[str, str], count: int) -> None:
        """A directive that holds Markdown, whose name and options take `count` lines."""
        name, prefix = found.name, found.prefix
        if name in _BOXES:
            colons = ":" * len(found.fence)
            opening = f"{colons}{{{name}}} {found.argument}"
            told = [f"{_indent(prefix)}:{option}: {value}".rstrip() for option, value in options.items()]
            below = [*told, *[""] * (count - 1 - len(told))][: count - 1]
        else:
            colons, opening, below = "", _describe(name, found.argument, options), [""] * (count - 1)
        self.open.append(_Open(found.fence, colons))
        self.written += [f"{prefix}{opening}".rstrip(), *below]

    def _write_shown(self, found: _Fence, options: Mapping[str, str], body: Sequence[str]) -> list[str]:
        """The lines that stand for one whose content is no Markdown, within the list or the quotation that it is in."""
        own = [_drop_prefix(line, found.prefix) for line in body]
        prefixes = chain([found.prefix], repeat(_indent(found.prefix)))
        return [
            f"{prefix}{line}".rstrip() for prefix, line in zip(prefixes, self._show(found, options, own), strict=False)
        ]

    def _show(self, found: _Fence, options: Mapping[str, str], body: Sequence[str]) -> Sequence[str]:
        """The lines that stand for one whose content is no Markdown."""
        match found.name:
            case "math":
                return ["$$", *_strip(body), "$$"]
            case "toctree":
                return [self._write_entry(line.strip()) for line in body if line.strip()]
            case "list-table":
                rows, head = _read_list(body), _read_count(options.get("header-rows"))
                return _write_titled(found.argument, _write_table(rows, has_head=head > 0))
            case "csv-table":
                named = _read_csv([options["header"]]) if options.get("header") else []
                has_head = bool(named) or _read_count(options.get("header-rows")) > 0
                return _write_titled(found.argument, _write_table([*named, *_read_csv(body)], has_head=has_head))
        if found.name in _UNTOLD:
            return []
        language = found.name if found.name in ("mermaid", "graphviz") else found.argument.partition(" ")[0]
        title = options.get("caption") or options.get("filename") or ""
        fence = make_fence("\n".join(body))
        return [
            f'{fence}{language} title="{title}"'.rstrip() if title and '"' not in title else f"{fence}{language}",
            *body,
            fence,
        ]

    def _write_entry(self, entry: str) -> str:
        title, name = split_title(entry)
        target = self.targets.get((Kind.PAGE, name))
        words = title or (target.title if target else "") or name
        address = target.address if target else name
        return f"- [{words}]({address})" if target or (title and is_address(address)) else f"- {words}"

    def _find_end(self, number: int, fence: str) -> int:
        """The line that closes the fence in this one; behind the last where none does."""
        for end in range(number + 1, len(self.lines)):
            line = self.lines[end].strip(" \t>\r")
            if line.startswith(fence) and not line.strip(fence[0]):
                return end
        return len(self.lines)


def _read_fence(line: str) -> _Fence | None:
    found = _FENCE.match(line) if len(line) <= _MAX_LINE_CHARACTERS else None
    if found is None:
        return None
    directive = _DIRECTIVE.match(found["info"])
    name, argument = (
        (directive["name"].lower(), directive["argument"].strip()) if directive else ("", found["info"].strip())
    )
    return _Fence(found["prefix"], found["fence"], name, argument)


def _closes(fence: str, opened: str) -> bool:
    return fence[0] == opened[0] and len(fence) >= len(opened)


def _read_options(lines: Sequence[str], first: int) -> tuple[Mapping[str, str], int]:
    """Those of a directive, and the line behind them: `:name: value` lines, or such between `---` lines."""
    if first < len(lines) and lines[first].strip(" \t>") == "---":
        for end in range(first + 1, min(first + 50, len(lines))):
            if lines[end].strip(" \t>") == "---":
                pairs = (line.strip(" \t>").partition(":") for line in lines[first + 1 : end])
                return {name.strip().lower(): value.strip().strip("\"'") for name, _, value in pairs}, end + 1
    options, taken = split_options(lines[first : first + 50])
    return options, first + len(taken)


def _describe(name: str, argument: str, options: Mapping[str, str]) -> str:
    """What readers see of the beginning of one that holds Markdown and makes no box."""
    if name in _PICTURES:
        words = options.get("alt", "")
        return f"![{words}]({argument})" if is_address(argument) else words
    if name in VERSION_CHANGES:
        change, text = describe_change(name, argument)
        return f"**{change}:** {text}"
    if not argument or name not in _CARDS | {"table", "step", "proof", "exercise"}:
        return ""
    link = options.get("link") or options.get("url") or ""
    return f"[**{argument}**]({link})" if is_address(link) else f"**{argument}**"


def _indent(prefix: str) -> str:
    """What stands before further lines of a block that begins behind this: a list's marker is blanks there."""
    return prefix if not prefix.strip(" \t>") else re.sub(r"[^ \t>]", " ", prefix)


def _drop_prefix(line: str, prefix: str) -> str:
    """A line of a block within a list or a quotation, as it is by itself."""
    width = len(prefix)
    return line[width:] if not line[:width].strip(" \t>") else line.lstrip(" \t")


def _strip(lines: Sequence[str]) -> Sequence[str]:
    kept = list(lines)
    while kept and not kept[-1].strip():
        kept.pop()
    return kept


def _read_count(value: str | None) -> int:
    return int(value) if value and value.isdecimal() and len(value) < 3 else 0


def _write_titled(title: str, lines: Sequence[str]) -> Sequence[str]:
    return [f"**{title}**", "", *lines] if title and lines else lines


def _read_list(lines: Sequence[str]) -> list[list[str]]:
    """The rows of a `list-table`, each an item that begins with the item of its first cell; a cell's lines are one."""
    rows: list[list[str]] = []
    for line in lines:
        if row := _ROW.match(line):
            rows.append([row["cell"] or ""])
        elif rows and (cell := _CELL.match(line)):
            rows[-1].append(cell["cell"] or "")
        elif rows and line.strip():
            rows[-1][-1] = f"{rows[-1][-1]} {line.strip()}".strip()
    return rows


def _read_csv(lines: Sequence[str]) -> list[list[str]]:
    try:
        return [[" ".join(cell.split()) for cell in row] for row in csv.reader(lines, skipinitialspace=True) if row]
    except csv.Error:
        return []


def _write_table(rows: Sequence[Sequence[str]], *, has_head: bool) -> Sequence[str]:
    width = max(map(len, rows), default=0)
    if not 0 < width <= _MAX_COLUMNS:
        return []
    filled = [[*(cell.replace("|", "\\|") for cell in row), *[""] * (width - len(row))] for row in rows]
    top = filled[0] if has_head else [""] * width
    return [f"| {' | '.join(row)} |" for row in (top, ["---"] * width, *filled[1 if has_head else 0 :])]
