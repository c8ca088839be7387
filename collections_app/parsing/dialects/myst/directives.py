"""MyST directives, which are fences with a name (```` ```{note} ````, `:::{note}`), line by line.

Directives that hold Markdown are opened, so that their text, links and code count as such: boxes and tabs become containers of colons,
figures become pictures with their text below, cards become bold titles, and objects (`{py:function}`) have a heading. Headings in them
become bold and make no sections, except between colons, which CommonMark reads as text. Code, formulas, tables and lists of pages become
their Markdown equivalents, raw HTML is Markdown as it is.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, repeat
from typing import NamedTuple

from collections_app.parsing.dialects.myst.objects import describe_options, write_heading
from collections_app.parsing.dialects.myst.shown import is_for_other_formats, show
from collections_app.parsing.dialects.shown_tags import is_address
from collections_app.parsing.headings import Levels, iter_headings
from collections_app.parsing.includes.lines import split_options
from collections_app.parsing.markdown.fences import enclose
from collections_app.parsing.references.targets import Targets
from collections_app.parsing.sphinx.markup import VERSION_CHANGES, describe_change
from collections_app.parsing.sphinx.myst_names import (
    BOXES,
    CODE,
    DIRECTIVES,
    PICTURES,
    TABLES,
    TABS,
    WITH_MARKDOWN,
)
from collections_app.parsing.sphinx.objects import is_known_object

_MAX_LINE_CHARACTERS = 1000
_MAX_DEPTH = 20
_MAX_PARTS = 500
"""Parts of a page in reStructuredText, each of which is read by itself."""

EVAL_RST = "{eval-rst}"
"""Is in every text with such a part."""

_FENCE = re.compile(
    r"(?P<prefix>[ \t>]*+(?:(?:[-*+]|\d{1,9}[.)])[ \t]++)?)(?:(?P<ticks>`{3,}+)(?P<told>[^`]*+)|(?P<fence>~{3,}+|:{3,}+)(?P<info>.*))$"
)
_DIRECTIVE = re.compile(r"[ \t]*+\{(?P<name>[A-Za-z][\w:.+-]*)\}[ \t]*(?P<argument>.*)$")
_HEADING = re.compile(r"(?P<prefix>[ \t>]*+)#{1,6}[ \t]++(?P<title>[^*]*[^*\s#])[ \t#]*$")
_COMMENT = re.compile(r" {0,3}%(?![%{])|\+\+\+(?:[ \t]*$|[ \t]*\{)")
# How the block below looks: `{.wide}`, `{lineno-start=1 emphasize-lines="2,3"}`
_LOOKS = re.compile(
    r"[ \t]*\{(?=[^{}#]*[.=])(?:\.[\w-]++|(?!attribution|title)[\w-]++=(?:\"[^\"\n]*\"|[\w.,-]++)|[ \t]++)++\}[ \t]*$"
)
_MARKER = re.compile(r"[^ \t>]")
_BEFORE_TEXT = re.compile(r"[ \t>]*")

# Lines of reStructuredText that only tell programs something.
_META = re.compile(r"[ \t]|$|\.\. meta::[ \t]*$|:(?:hidetoc|nocomments|no-?search|orphan|tocdepth):(?:[ \t]|$)")
# Here the text after the name only concerns the look.
_LAYOUT = frozenset(["div", "figure-md", "glossary", "grid", "grid-item", "ifconfig", "only"])


class _Fence(NamedTuple):
    """`argument` is the text after the name, or after the fence if there is no name."""

    prefix: str
    fence: str
    name: str
    argument: str

    @property
    def is_bare(self) -> bool:
        return not self.name and not self.argument


@dataclass(frozen=True, slots=True)
class _Open:
    """An open directive whose content is Markdown; `closing` is written where it ends."""

    prefix: str
    fence: str
    closing: str
    is_object: bool = False


def write_directives(content: str, targets: Targets) -> str:
    """The text with its directives replaced by Markdown; no line moves."""
    lines = content.split("\n")
    return "\n".join(_Writer(lines, targets, parts_left=_MAX_PARTS if EVAL_RST in content else 0).write())


@dataclass(slots=True)
class _Writer:
    lines: list[str]
    targets: Targets
    written: list[str] = field(default_factory=list)
    open: list[_Open] = field(default_factory=list)
    parts_left: int = 0
    levels: Levels | None = None

    def write(self) -> list[str]:
        number = 0
        while number < len(self.lines):
            number = self._write_line(number)
        return self.written

    def _write_line(self, number: int) -> int:
        """Write the line, or the directive that begins in it, and return the number of the next line."""
        line = self.lines[number]
        while self.open and _leaves(line, self.open[-1].prefix):
            self.open.pop()
        found = _read_fence(line)
        if found is None:
            is_untold = _COMMENT.match(line) or ("{" in line and _LOOKS.match(line))
            self.written.append("" if is_untold else self._write_text(line))
        elif (place := self._find_closed(found)) is not None:
            self.written.append(f"{found.prefix}{self.open[place].closing}".rstrip())
            del self.open[place:]
        elif (found.name in DIRECTIVES or is_known_object(found.name)) and len(self.open) < _MAX_DEPTH:
            return self._write_directive(number, found)
        elif found.fence.startswith(":"):
            if not found.is_bare and len(self.open) < _MAX_DEPTH:
                self.open.append(_Open(found.prefix, found.fence, found.fence))
            self.written.append(line)
        else:
            end, is_closed = self._find_end(number, found)
            as_it_is = is_closed or end == len(self.lines)
            self.written += (
                self.lines[number : end + 1] if as_it_is else self._indent_code(number, number + 1, end, found)
            )
            return end + 1 if as_it_is else end
        return number + 1

    def _write_text(self, line: str) -> str:
        heading = _HEADING.match(line) if any(each.fence[0] != ":" for each in self.open) else None
        return f"{heading['prefix']}**{heading['title']}**" if heading else line

    def _find_closed(self, found: _Fence) -> int | None:
        """The index of the open directive that a fence closes, along with those inside it: the outermost one, as in a fence no other
        counts.
        """
        places = (place for place, each in enumerate(self.open) if _closes(found, each.fence, each.prefix))
        return next(places, None)

    def _write_directive(self, number: int, found: _Fence) -> int:
        has_options = found.name != "eval-rst"  # lines of this kind are fields there
        options, first = _read_options(self.lines, number + 1) if has_options else ({}, number + 1)
        if is_known_object(found.name):
            self._open_object(found, options, number, first)
            return first
        if found.name in WITH_MARKDOWN and not is_for_other_formats(found.name, found.argument):
            self._open(found, options, number, first)
            return first
        end, is_closed = self._find_end(number, found)
        if not is_closed and end < len(self.lines):
            self.written += self._indent_code(number, first, end, found)
            return end
        taken = min(end + 1, len(self.lines)) - number
        below = self._find_level(number) if found.name == "eval-rst" else 0
        shown = self._write_shown(found, options, self.lines[first:end], below) if is_closed else None
        if shown and found.name == "eval-rst":
            shown = self._set_apart(shown, number, end + 1)
            shown = shown if len(shown) <= taken else _join_headings(shown)
        if shown and len(shown) > taken and found.name in TABLES:
            shown = [line for line in shown if line.strip(" \t>")]
        if shown is None or len(shown) > taken:  # a table that would take more lines than its source
            shown = self.lines[number : number + taken]
        # Code stays in its lines, below those of its options.
        before = min(taken - len(shown), first - number - 1) if found.name in CODE else 0
        self.written += [*[""] * before, *shown, *[""] * (taken - len(shown) - before)]
        return number + taken

    def _indent_code(self, number: int, first: int, end: int, found: _Fence) -> list[str]:
        """The content of a code fence as indented code, if the block around it ends first: no line is left for a closing fence."""
        indent = _indent(found.prefix)
        code = [f"{indent}    {_drop_prefix(line, found.prefix)}".rstrip() for line in self.lines[first:end]]
        return [*[found.prefix.rstrip()] * (min(first, end) - number), *code]

    def _open(self, found: _Fence, options: Mapping[str, str], number: int, first: int) -> None:
        """Open a directive that holds Markdown and whose content begins in the line `first`, behind its name and options."""
        name, prefix, count = found.name, found.prefix, first - number
        if name in BOXES:
            colons = ":" * len(found.fence)
            opening = f"{colons}{{{TABS.get(name, name)}}} {found.argument}"
            told = [f"{_indent(prefix)}:{option}: {value}".rstrip() for option, value in options.items()]
            below = [*told, *[""] * (count - 1 - len(told))][: count - 1]
        else:
            closing = _read_fence(self.lines[first]) if first < len(self.lines) else None
            is_empty = closing is not None and _closes(closing, found.fence, prefix)
            colons, below = "", [""] * (count - 1)
            opening = _describe(name, found.argument, options, is_empty=is_empty)
        self.open.append(_Open(prefix, found.fence, colons))
        self.written += [f"{prefix}{opening}".rstrip(), *below]

    def _open_object(self, found: _Fence, options: Mapping[str, str], number: int, first: int) -> None:
        """Open the description of an object: its heading, and in the line of its first option what its options say. In a list, a quote, a
        box or a tab it has no section.
        """
        has_section = not found.prefix and all(each.is_object for each in self.open)
        above = max(1, self._find_level(number)) + len(self.open) if has_section else -1
        told = [describe_options(options)] if options else []
        below = [f"{_indent(found.prefix)}{line}".rstrip() for line in told] + [""] * (first - number - 1 - len(told))
        prefix = "" if has_section else found.prefix
        self.open.append(_Open(found.prefix, found.fence, "", is_object=True))
        self.written += [f"{prefix}{write_heading(found.name, found.argument, above)}".rstrip(), *below]

    def _find_level(self, number: int) -> int:
        """The level of the heading above this line."""
        self.levels = self.levels or Levels(self.lines)
        return self.levels.find(number)

    def _write_shown(
        self, found: _Fence, options: Mapping[str, str], body: Sequence[str], level: int
    ) -> list[str] | None:
        """The lines that replace a directive without Markdown below a heading of this level, in the list item or quote around it; None if
        it stays.
        """
        text = [_drop_prefix(line, found.prefix) for line in body]
        is_part = found.name == "eval-rst" and not found.argument
        shown = (
            self._show_part(text, level, makes_sections=not (self.open or found.prefix))
            if is_part
            else show(found.name, found.argument, options, text, self.targets)
        )
        prefixes = chain([found.prefix], repeat(_indent(found.prefix)))
        if shown is None:
            return None
        return [f"{prefix}{line}".rstrip() for prefix, line in zip(prefixes, shown, strict=False)]

    def _show_part(self, body: Sequence[str], level: int, *, makes_sections: bool) -> Sequence[str] | None:
        """A part in reStructuredText; its headings stand below the one above, or are in bold."""
        if all(map(_META.match, body)):
            return []
        if not self.parts_left:
            return None
        from collections_app.parsing.rst import write_part  # docutils takes long to load

        self.parts_left -= 1
        shown = write_part("\n".join(body), self.targets, has_ids=makes_sections)
        if shown is None:
            return None
        highest = min((heading.level for heading in iter_headings(shown)), default=1)
        text = enclose("\n".join(shown), below_level=max(0, level + 1 - highest), makes_sections=makes_sections)
        return text.strip("\n").split("\n")

    def _set_apart(self, shown: list[str], first: int, end: int) -> list[str]:
        """The lines for those from `first` to `end`, with blank ones towards text beside them."""
        before, after = self.lines[max(0, first - 1) : first], self.lines[end : end + 1]
        return [*[""] * any(map(str.strip, before)), *shown, *[""] * any(map(str.strip, after))]

    def _find_end(self, number: int, found: _Fence) -> tuple[int, bool]:
        """The line of the closing fence, and True. If there is none, the line where the block around it ends, or the number of lines, and
        False.
        """
        for end in range(number + 1, len(self.lines)):
            line = self.lines[end]
            if _leaves(line, found.prefix) or (self.open and _leaves(line, self.open[-1].prefix)):
                return end, False
            closing = _read_fence(line)
            if closing and closing.is_bare:
                if self._find_closed(closing) is not None:
                    return end, False
                if _closes(closing, found.fence, found.prefix):
                    return end, True
        return len(self.lines), False


def _read_fence(line: str) -> _Fence | None:
    found = _FENCE.match(line.rstrip("\r")) if len(line) <= _MAX_LINE_CHARACTERS else None
    if found is None:
        return None
    fence, info = (found["ticks"], found["told"]) if found["ticks"] else (found["fence"], found["info"])
    directive = _DIRECTIVE.match(info)
    name, argument = (directive["name"].lower(), directive["argument"].strip()) if directive else ("", info.strip())
    return _Fence(found["prefix"], fence, name, argument)


def _closes(found: _Fence, fence: str, prefix: str) -> bool:
    """Whether a fence closes the one behind `prefix`: it is at least as long, and indented at most three columns further."""
    is_long = found.is_bare and found.fence[0] == fence[0] and len(found.fence) >= len(fence)
    return is_long and not found.prefix.strip(" \t>") and len(found.prefix) <= len(prefix) + 3


def _leaves(line: str, prefix: str) -> bool:
    """Whether the line is outside of the quote or list item of a block that begins behind `prefix`."""
    if not prefix.strip(" \t"):
        return False
    before = _BEFORE_TEXT.match(line)
    signs = before[0] if before else ""
    if signs.count(">") < prefix.count(">"):
        return True
    has_marker = bool(prefix.strip(" \t>"))
    return has_marker and bool(line.strip(" \t>")) and len(signs) < len(prefix) - len(prefix.lstrip(" \t>")) + 2


def _read_options(lines: Sequence[str], first: int) -> tuple[Mapping[str, str], int]:
    """The options of a directive, as `:name: value` lines or between `---` lines, and the number of the line after them."""
    if first < len(lines) and lines[first].strip(" \t>") == "---":
        for end in range(first + 1, min(first + 50, len(lines))):
            if lines[end].strip(" \t>") == "---":
                pairs = (line.strip(" \t>").partition(":") for line in lines[first + 1 : end])
                return {name.strip().lower(): value.strip().strip("\"'") for name, _, value in pairs}, end + 1
    options, taken = split_options(lines[first : first + 50])
    return options, first + len(taken)


def _describe(name: str, argument: str, options: Mapping[str, str], *, is_empty: bool) -> str:
    """What readers see at the beginning of a directive that holds Markdown and is not a box."""
    if name in PICTURES:
        words = options.get("alt", "")
        return f"![{words}]({argument})" if is_address(argument) else words
    if name in VERSION_CHANGES:
        change, text = describe_change(name, argument)
        return f"**{change}**" if is_empty and not text else f"**{change}:** {text}"
    title = "" if name in _LAYOUT else argument or options.get("title", "")
    link = options.get("link") or options.get("url") or ""
    shown = f"[**{title}**]({link})" if title and is_address(link) else f"**{title}**" if title else ""
    return f"{shown} {options.get('intro', '')}".strip()


def _join_headings(lines: Sequence[str]) -> list[str]:
    """The lines without blank ones after headings."""
    headings = {heading.line for heading in iter_headings(lines)}
    return [line for number, line in enumerate(lines) if line.strip() or number - 1 not in headings]


def _indent(prefix: str) -> str:
    """The prefix of further lines of a block that begins behind `prefix`: blanks replace a list marker."""
    return _MARKER.sub(" ", prefix)


def _drop_prefix(line: str, prefix: str) -> str:
    """A line of a block in a list or quote, without the prefix."""
    width = len(prefix)
    return line[width:] if not line[:width].strip(" \t>") else line.lstrip(" \t")
