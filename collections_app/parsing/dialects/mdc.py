"""Components in Markdown as Nuxt Content has them (MDC): what readers see of them, and their children at the margin. PURE.

    ::card                      → [**Start**](/start)
    ---
    title: Start
    to: /start
    ---
    Begin here.                 → Begin here.
    ::

    Press :kbd{value="meta"}    → Press meta

Colon containers of other generators (`:::tip`) are left alone: only a page that opens and closes two colons is one of these, or one that
has a line for such a component with attributes, or behind it. https://content.nuxt.com/docs/files/markdown
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from collections_app.parsing.dialects.components.descriptions import describe_component
from collections_app.parsing.dialects.components.writer import iter_moved
from collections_app.parsing.dialects.mdx_code import find_fenced_lines
from collections_app.parsing.dialects.shown_tags import BOXES, is_address
from collections_app.parsing.safety.places import replace_outside_spans

_MAX_LINE_CHARACTERS = 2_000
_MAX_PROPERTY_LINES = 100
_FEWEST_COLONS = 2
_MOST_OPEN = 100
_NAME = r"(?P<name>[a-z][a-z0-9]*+(?:-[a-z0-9]++)*+)"
_WORDS = r"(?:\[(?P<words>[^\[\]]*+)\])"
_ATTRIBUTES = r"(?:\{(?P<attributes>(?:\"[^\"]*+\"|'[^']*+'|[^{}\"'])*+)\})"
_OPENING = re.compile(rf"[ \t]*+(?P<colons>:{{2,20}}+){_NAME}{_WORDS}?{_ATTRIBUTES}?[ \t]*+")
_CLOSING = re.compile(r"[ \t]*+(?P<colons>:{2,20}+)[ \t]*+")
# A line that may begin with a component, see _may_begin().
_MAY_HAVE = re.compile(r"\n[ \t*+-]*+:")
_SLOT = re.compile(r"[ \t]*+#[a-z][\w-]*+(?:\{[^{}]*+\})?[ \t]*+")
_ALONE = re.compile(rf"[ \t]*+:{_NAME}{_WORDS}?{_ATTRIBUTES}?[ \t]*+")
_FIRST = re.compile(rf"[ \t]*+(?:[-*+][ \t]++)?:{_NAME}{_ATTRIBUTES}[ \t]")
_WITHIN = re.compile(
    rf"(?<![\w:\\]):{_NAME}(?={_ATTRIBUTES.replace('?P<attributes>', '?:')}|\[){_WORDS}?{_ATTRIBUTES}?"
)
# Behind code its language, or a class: `sail()`{lang="ts"}.
_BEHIND_CODE = re.compile(r"(?<=`)\{(?:lang=(?:\"[\w+-]*\"|[\w+-]+)|\.[\w-]+)\}")
_PLAIN = re.compile(r"(?P<margin>[ \t]*+)(?P<words>[^\s\[\]#>|-][^\[\]]*+)")
_BOLD = re.compile(r"\*\*[^*]++\*\*[ \t]*+")
_RULE = re.compile(r"[ \t]*+---[ \t]*+")
_PROPERTY = re.compile(r"(?P<indent>[ \t]*+)(?P<name>[A-Za-z][\w-]*+):[ \t]++(?P<value>\S.*)")
# A property of an entry in a list.
_ENTRY = re.compile(
    r"[ \t]*+(?:-[ \t]++(?P<title>(?:label|title|question|name))|(?<=[ \t])(?:content|description|answer)):[ \t]++(?P<value>\S.*)"
)
_ATTRIBUTE = re.compile(
    r"(?<![\w:.-])(?P<name>[A-Za-z][\w-]*+)=(?:\"(?P<double>[^\"]*)\"|'(?P<single>[^']*)'|(?P<plain>[^\s\"'{}]+))"
)
# Attributes that say how or where it is shown, and say nothing to readers.
_LOOKS = re.compile(r"(?:class|color|icon|id|size|style|variant|[\w-]*-id)$")
_ICON = re.compile(r"(?:^|-)icon$")
# The set that it is of: `material-symbols:add`, `i-lucide-info`.
_SET = re.compile(r"^(?:[a-z0-9-]+:|i-[a-z0-9]+-)")
_WORD_AT_END = re.compile(r"\w[*_)]{0,3} $")
_GOES_ON = re.compile(r" ?[a-z0-9.,;)]")
_BOX_OF_COLOR = re.compile(r"(?:^|-)(?:alert|callout)$")
_COLORS = {"error": "danger", **{kind: kind for kind in BOXES}}


def write_mdc(content: str) -> str:
    """The text without the signs of such components; no line moves."""
    if not _MAY_HAVE.search(f"\n{content}"):
        return content
    lines = content.split("\n")
    if not any(_OPENING.fullmatch(line) or _is_alone(line) for line in lines if _may_begin(line) and _is_short(line)):
        return content
    page = _Page(lines)
    page.write()
    return "\n".join(iter_moved(page.lines, page.list_changes())) if page.is_such else content


def _is_short(line: str) -> bool:
    return len(line) <= _MAX_LINE_CHARACTERS


def _may_begin(line: str) -> bool:
    """Whether the line may begin with a component, perhaps behind the marker of a list."""
    return ":" in line and line.lstrip(" \t-*+").startswith(":")


def _is_alone(line: str) -> bool:
    """Whether the line is a component with attributes, or begins with one, which nothing else does."""
    if not _may_begin(line):
        return False
    alone = _ALONE.fullmatch(line) or _FIRST.match(line)
    return alone is not None and _ATTRIBUTE.search(alone["attributes"] or "") is not None


@dataclass(frozen=True, slots=True)
class _Component:
    """One that is open: its colons, its first line, and where it leads if it has no title that is a link."""

    colons: str
    first: int
    target: str


class _Page:
    """A page whose lines are written anew; `is_such` once something has told that it has these components. Of those that are open only the
    innermost count, the others are never closed.
    """

    def __init__(self, lines: Sequence[str]) -> None:
        self.lines = list(lines)
        self.is_such = False
        self._open: list[_Component] = []
        self._closed: list[tuple[int, int]] = []

    def write(self) -> None:
        code = find_fenced_lines(self.lines)
        number = 0
        while number < len(self.lines):
            begin, number = number, number + 1
            if begin not in code and _is_short(self.lines[begin]):
                number = self._write_line(begin)

    def list_changes(self) -> list[tuple[int, int]]:
        """Where children begin and end, as for iter_moved(). Those of a component that is never closed stay where they are."""
        return sorted([*((first, 1) for first, _ in self._closed), *((last, -1) for _, last in self._closed)])

    def _write_line(self, number: int) -> int:
        """Write this line, and the properties below it if it opens a component; returns the number of the next one."""
        line = self.lines[number]
        self.is_such |= _is_alone(line)
        if opening := _OPENING.fullmatch(line):
            return self._open_component(number, opening)
        closing = _CLOSING.fullmatch(line)
        is_end = closing is not None and self._close_component(number, closing["colons"])
        if is_end or (self._open and _SLOT.fullmatch(line)):
            self.lines[number] = ""
        elif alone := _ALONE.fullmatch(line):
            self.lines[number] = _get_margin(line) + _describe(alone, {})
        else:
            self.lines[number] = _write_within(line)
        return number + 1

    def _open_component(self, number: int, opening: re.Match[str]) -> int:
        end = _find_end_of_properties(self.lines, number + 1)
        given = self.lines[number + 2 : end - 1]
        properties = _read_properties(given)
        text = _describe(opening, properties)
        target = "" if text else {**_read_attributes(opening["attributes"] or ""), **properties}.get("to", "")
        margin = _get_margin(opening[0])
        entries = [margin + told if (told := _write_entry(line)) else "" for line in given]
        self.lines[number:end] = [margin + text, *[""] * bool(given), *entries, *[""] * bool(given)]
        self._open.append(_Component(opening["colons"], number, target if is_address(target) else ""))
        del self._open[:-_MOST_OPEN]
        return end

    def _close_component(self, number: int, colons: str) -> bool:
        """Close the innermost component with so many colons, and those in it; False if there is none."""
        place = next((at for at in reversed(range(len(self._open))) if self._open[at].colons == colons), None)
        if place is None:
            return False
        self.is_such |= len(colons) == _FEWEST_COLONS
        self._link(self._open[place], number)
        self._closed += [(component.first, number) for component in self._open[place:]]
        del self._open[place:]
        return True

    def _link(self, component: _Component, end: int) -> None:
        """Make the text of a component that leads somewhere a link, if that is a line without brackets; of several lines the first, if that
        is bold, as a title is.
        """
        if not component.target:
            return
        told = [number for number in range(component.first, end) if self.lines[number].strip()]
        text = _PLAIN.fullmatch(self.lines[told[0]]) if told else None
        if text and (len(told) == 1 or _BOLD.fullmatch(text["words"])):
            words = text["words"].rstrip(" \t")
            self.lines[told[0]] = f"{text['margin']}[{words}]({component.target}){text['words'][len(words) :]}"


def _get_margin(line: str) -> str:
    return line[: len(line) - len(line.lstrip(" \t"))]


def _find_end_of_properties(lines: Sequence[str], start: int) -> int:
    """The number of the line behind the properties that begin here; `start` if there are none."""
    if start >= len(lines) or not _RULE.fullmatch(lines[start]):
        return start
    following = range(start + 1, min(start + _MAX_PROPERTY_LINES, len(lines)))
    return next((number + 1 for number in following if _RULE.fullmatch(lines[number])), start)


def _read_properties(lines: Sequence[str]) -> dict[str, str]:
    """Those with a single value, as plain text."""
    found = [each for line in lines if _is_short(line) and (each := _PROPERTY.fullmatch(line))]
    return {
        each["name"]: _unquote(each["value"]).replace('"', "'")
        for each in found
        if each["indent"] == found[0]["indent"]
    }


def _write_entry(line: str) -> str:
    """What readers see of a line of properties that lists entries, such as questions with their answers."""
    entry = _ENTRY.fullmatch(line) if _is_short(line) else None
    if entry is None:
        return ""
    value = _unquote(entry["value"])
    return f"**{value}**" if entry["title"] else value


def _unquote(value: str) -> str:
    value = value.strip()
    return value[1:-1] if len(value) > 1 and value[0] == value[-1] and value[0] in "\"'" else value


def _describe(found: re.Match[str], properties: Mapping[str, str]) -> str:
    """What a reader sees of a component in its place, besides its children."""
    values = {**_read_attributes(found["attributes"] or ""), **properties}
    if _BOX_OF_COLOR.search(found["name"]) and values.get("color") in _COLORS:
        values.setdefault("type", _COLORS[values["color"]])
    name = "".join(map(str.capitalize, found["name"].split("-")))
    told = " ".join(f'{key}="{value}"' for key, value in values.items())
    words = f"{found['words']} " if found["words"] else ""
    flags = _ATTRIBUTE.sub("", found["attributes"] or "")
    return (describe_component(name, f"{told} {flags}") + words).rstrip()


def _read_attributes(attributes: str) -> dict[str, str]:
    return {
        each["name"]: (each["double"] or each["single"] or each["plain"] or "").replace('"', "'")
        for each in _ATTRIBUTE.finditer(attributes)
    }


def _write_within(line: str) -> str:
    if ":" in line:
        line = replace_outside_spans(_WITHIN, _write_in_sentence, line)
    return replace_outside_spans(_BEHIND_CODE, lambda _: "", line) if "`{" in line else line


def _write_in_sentence(found: re.Match[str]) -> str:
    """The words of a component, else the only value that says something: `:kbd{value="meta"}`."""
    if found["words"]:
        return str(found["words"])
    values = _read_attributes(found["attributes"] or "")
    if _ICON.search(found["name"]):
        return _write_icon(found, values)
    telling = [value for key, value in values.items() if value and not _LOOKS.match(key)]
    return telling[0] if len(telling) == 1 else ""


def _write_icon(found: re.Match[str], values: Mapping[str, str]) -> str:
    """The name of an icon within a sentence, where it is a button's sign or the like; beside words it only decorates these."""
    is_sign = _WORD_AT_END.search(found.string[: found.start()]) and _GOES_ON.match(found.string, found.end())
    name = values.get("title") or _SET.sub("", values.get("name", ""))
    return f"`{name}`" if is_sign and name else ""
